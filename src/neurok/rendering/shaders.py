"""The shaders of the OpenGL backend. `shading.py` is their numpy reference; a test compares the two."""

from __future__ import annotations

from neurok.rendering import lighting

SHARPEN = -0.6  # mipmap level bias, which keeps colours from outside an atlas's charts out of its seams


def _constants() -> str:
    """The constants of `lighting` as GLSL."""
    lines = [f"const float SHARPEN = {SHARPEN:.6f};"]
    for name in ("KEY", "FILL", "SKY", "GROUND"):
        r, g, b = getattr(lighting, name)
        lines.append(f"const vec3 {name} = vec3({r:.6f}, {g:.6f}, {b:.6f});")
    for name in (
        "EXPOSURE",
        "SHOULDER",
        "CENTRE_TONE",
        "EDGE_TONE",
        "KEY_SHADE",
        "CONTACT_SHADE",
        "SELF_SHADE",
        "STEEPNESS",
    ):
        lines.append(f"const float {name} = {getattr(lighting, name):.6f};")
    return "\n".join(lines)


VERTEX = """
in vec3 position; in vec3 normal; in vec2 uv; in vec4 color;
uniform mat4 clip;
out vec3 p; out vec3 n; out vec2 t; out vec4 c;
void main() { p = position; n = normal; t = uv; c = color; gl_Position = clip * vec4(position, 1.0); }
"""

SURFACE = """
in vec2 t; in vec4 c;
uniform sampler2D color_map; uniform bool color_mapped;
uniform vec4 base;
uniform float cutoff;  // below 0: opaque; above 1: blended
vec4 surface() {
    vec4 s = base * c;
    if (color_mapped) s *= texture(color_map, t, SHARPEN);
    if (cutoff < 0.0) s.a = 1.0;
    else if (cutoff <= 1.0) { if (s.a < cutoff) discard; s.a = 1.0; }
    return s;
}
"""

DEPTH = """
out float depth;
void main() { surface(); depth = gl_FragCoord.z; }
"""

GEOMETRY = """
in vec3 p;
uniform vec3 eye; uniform vec3 forward; uniform int first_face;
out vec4 hit;  // depth, face index in two halves that floats hold exactly, 1
void main() {
    surface();
    int face = first_face + gl_PrimitiveID;
    hit = vec4(dot(p - eye, forward), float(face % 65536), float(face / 65536), 1.0);
}
"""

COLOR = """
in vec3 p; in vec3 n;
uniform vec3 eye; uniform vec3 up; uniform vec3 key; uniform vec3 fill;
uniform float floor_height; uniform float size; uniform bool smooth_normals;
uniform mat4 key_view; uniform sampler2D key_map; uniform float shadow;
uniform sampler2D rough_map; uniform bool rough_mapped; uniform sampler2D glow_map; uniform bool glow_mapped;
uniform float metallic; uniform float roughness; uniform vec3 emissive;
out vec4 pixel;

vec3 facing_normal(vec3 v) {
    vec3 g = cross(dFdx(p), dFdy(p));
    float l = length(g);
    g = l > 0.0 ? g / l : v;
    if (dot(g, v) < 0.0) g = -g;
    if (!smooth_normals) return g;
    float m = length(n);
    if (m < 1e-6) return g;
    return dot(n, g) < 0.0 ? -n / m : n / m;
}
float lit(vec3 normal) {
    vec3 q = (key_view * vec4(p + 0.012 * size * normal, 1.0)).xyz;
    float free = min(texture(key_map, q.xy).r * exp(STEEPNESS * (1.0 - q.z)), 1.0);
    return 1.0 - shadow * SELF_SHADE * (1.0 - free);
}
float fifth(float x) { return x * x * x * x * x; }
vec3 sky(float rise) { return mix(GROUND, SKY, smoothstep(-0.9, 0.9, rise)); }
vec3 encode(vec3 x) {
    const float room = 1.0 - SHOULDER;
    x = mix(x, 1.0 - room * exp((SHOULDER - x) / room), greaterThan(x, vec3(SHOULDER)));
    vec3 power = 1.055 * pow(max(x, 1e-9), vec3(1.0 / 2.4)) - 0.055;
    return mix(12.92 * x, power, greaterThan(x, vec3(0.0031308)));
}
void main() {
    vec4 s = surface();
    vec3 v = normalize(eye - p), normal = facing_normal(v), h = normalize(v + key);
    vec2 mr = rough_mapped ? texture(rough_map, t, SHARPEN).bg : vec2(1.0);
    float metal = metallic * mr.x, rough = clamp(roughness * mr.y, 0.12, 1.0);
    float nl = dot(normal, key), nv = clamp(dot(normal, v), 0.02, 1.0), nh = max(dot(normal, h), 0.0);
    float lambert = clamp((nl + 0.2) / 1.2, 0.0, 1.0);
    float open = mix(0.45, 1.0, smoothstep(0.0, 0.5 * size, dot(p, up) - floor_height));
    float reach = lit(normal);
    vec3 around = sky(dot(normal, up)) * open;
    vec3 f0 = mix(vec3(0.04), s.rgb, metal);
    float a2 = rough * rough * rough * rough, d = nh * nh * (a2 - 1.0) + 1.0;
    float clip_nl = max(nl, 0.0), k = rough * rough / 2.0;
    float glint = a2 / (d * d) / (4.0 * (clip_nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
    vec3 fresnel = f0 + (1.0 - f0) * fifth(1.0 - max(dot(h, v), 0.0));
    vec3 rim = f0 + (max(vec3(1.0 - rough), f0) - f0) * fifth(1.0 - nv);
    vec3 light = KEY * lambert * reach + FILL * max(dot(normal, fill), 0.0) + around;
    vec3 mirror = rim * sky(dot(reflect(-v, normal), up)) * open * mix(1.6, 1.0, rough);
    vec3 body = s.rgb * (1.0 - metal * (1.0 - 0.8 * rough * rough));
    vec3 sum = body * light + fresnel * glint * KEY * clip_nl * reach + mirror;
    sum += (glow_mapped ? texture(glow_map, t, SHARPEN).rgb : vec3(1.0)) * emissive / EXPOSURE;
    pixel = vec4(encode(sum * EXPOSURE), s.a);
}
"""

SCREEN = """
in vec2 corner;
void main() { gl_Position = vec4(corner, 1.0, 1.0); }
"""

BACKDROP = """
uniform vec2 picture; uniform float focal; uniform mat3 rotation;  // rows: right, down, forward
uniform vec3 eye; uniform vec3 up; uniform float floor_height; uniform float shadow;
uniform mat4 key_view; uniform mat4 below; uniform sampler2D key_shadow; uniform sampler2D contact;
out vec4 pixel;
float at(sampler2D map, mat4 view, vec3 q) {
    vec2 s = (view * vec4(q, 1.0)).xy;
    return all(greaterThan(s, vec2(0.0))) && all(lessThan(s, vec2(1.0))) ? texture(map, s).r : 0.0;
}
void main() {
    vec2 offset = gl_FragCoord.xy - 0.5 * picture;
    float tone = mix(CENTRE_TONE, EDGE_TONE, dot(offset, offset) / (0.25 * dot(picture, picture)));
    vec3 ray = vec3(offset / focal, 1.0) * rotation;
    float fall = dot(ray, up), t = (floor_height - dot(eye, up)) / fall;
    if (shadow > 0.0 && fall < -1e-6 && t > 0.0) {
        vec3 q = eye + t * ray;
        tone *= 1.0 - KEY_SHADE * at(key_shadow, key_view, q);
        tone *= 1.0 - CONTACT_SHADE * at(contact, below, q);
    }
    pixel = vec4(vec3(tone), 1.0);
}
"""


def programs() -> dict[str, tuple[str, str]]:
    """Vertex and fragment shader of each pass."""
    head = "#version 330\n"
    return {
        "color": (head + VERTEX, head + _constants() + SURFACE + COLOR),
        "geometry": (head + VERTEX, head + _constants() + SURFACE + GEOMETRY),
        "depth": (head + VERTEX, head + _constants() + SURFACE + DEPTH),
        "backdrop": (head + SCREEN, head + _constants() + BACKDROP),
    }
