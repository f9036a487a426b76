// Skinning and light. `groups` of four handles each move a vertex: x = Σ w A (X, 1).

export function skinned(groups) {
  const each = [...Array(groups).keys()];
  return `#version 300 es
precision highp float;
in vec3 position; in vec3 normal; in vec2 uv; in vec4 color; in vec4 part;
${each.map((g) => `in vec4 w${g}; in uvec4 h${g};`).join("\n")}
uniform sampler2D maps; uniform mat4 view; uniform float parts;
out vec3 place; out vec3 up; out vec2 at; out vec4 tint;
void gather(float w, uint h, inout vec4 a, inout vec4 b, inout vec4 c) {
  if (w == 0.0) return;
  int row = int(h);
  a += w * texelFetch(maps, ivec2(0, row), 0);
  b += w * texelFetch(maps, ivec2(1, row), 0);
  c += w * texelFetch(maps, ivec2(2, row), 0);
}
void main() {
  vec4 a = vec4(0), b = vec4(0), c = vec4(0);
  ${each.map((g) => `for (int i = 0; i < 4; i++) gather(w${g}[i], h${g}[i], a, b, c);`).join("\n")}
  vec4 x = vec4(position, 1.0);
  place = vec3(dot(a, x), dot(b, x), dot(c, x));
  // normals turn with the cofactors of the map
  up = normal * mat3(cross(b.xyz, c.xyz), cross(c.xyz, a.xyz), cross(a.xyz, b.xyz));
  at = uv; tint = mix(color, part, parts);
  gl_Position = view * vec4(place, 1.0);
}`;
}

export const SURFACE = `#version 300 es
precision highp float;
in vec3 place; in vec3 up; in vec2 at; in vec4 tint;
uniform vec4 base; uniform vec3 glow; uniform vec3 eye; uniform vec3 sky; uniform float smoothed; uniform float pictured;
uniform float parts; uniform float cutoff; uniform sampler2D picture;
out vec4 shown;
vec3 linear(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
void main() {
  vec3 n = smoothed > 0.5 ? normalize(up) : normalize(cross(dFdx(place), dFdy(place)));
  vec3 to = normalize(eye - place);
  if (dot(n, to) < 0.0) n = -n;
  vec4 colour = mix(base, vec4(1.0), parts) * vec4(linear(tint.rgb), tint.a);
  if (pictured > 0.5 && parts < 0.5) { vec4 t = texture(picture, at); colour *= vec4(linear(t.rgb), t.a); }
  if (colour.a < cutoff) discard;
  vec3 sun = normalize(sky + 0.7 * to);
  float ambient = 0.34 + 0.18 * dot(n, sky);
  float shine = pow(max(dot(n, normalize(sun + to)), 0.0), 40.0) * 0.12;
  vec3 lit = colour.rgb * (ambient + 0.62 * max(dot(n, sun), 0.0)) + shine + glow;
  shown = vec4(pow(lit, vec3(1.0 / 2.2)), colour.a);
}`;

export const LINES = `#version 300 es
precision highp float;
in vec3 position; in vec4 color; uniform mat4 view; uniform float size; out vec4 tint;
void main() { tint = color; gl_Position = view * vec4(position, 1.0); gl_PointSize = size; }`;

export const PLAIN = `#version 300 es
precision highp float;
in vec4 tint; out vec4 shown; void main() { shown = tint; }`;
