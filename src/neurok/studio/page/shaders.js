// Shaders for skinning and lighting, generated per material. They compute and interpolate only what the material
// uses, which matters most without a GPU.

// Attribute locations, the same in all programs; four handles and four weights take one location each.
export const PLACES = { position: 0, normal: 1, uv: 2, color: 3, part: 4, weights: 5, handles: 9 };

// Skins a vertex by `groups` of four handles, x = Σ w A (X, 1), once per frame for all passes.
export function skinning(groups, smooth) {
  const each = [...Array(groups).keys()];
  return `#version 300 es
precision highp float;
layout(location = ${PLACES.position}) in vec3 position;
layout(location = ${PLACES.normal}) in vec3 normal;
${each.map((g) => `layout(location = ${PLACES.weights + g}) in vec4 w${g};
layout(location = ${PLACES.handles + g}) in uvec4 h${g};`).join("\n")}
uniform sampler2D maps;
out vec3 moved; ${smooth ? "out vec3 turned;" : ""}
void gather(float w, uint h, inout vec4 a, inout vec4 b, inout vec4 c) {
  if (w == 0.0) return;
  int row = int(h);
  a += w * texelFetch(maps, ivec2(0, row), 0);
  b += w * texelFetch(maps, ivec2(1, row), 0);
  c += w * texelFetch(maps, ivec2(2, row), 0);
}
void main() {
  vec4 a = vec4(0), b = vec4(0), c = vec4(0), x = vec4(position, 1.0);
  ${each.map((g) => `for (int i = 0; i < 4; i++) gather(w${g}[i], h${g}[i], a, b, c);`).join("\n")}
  moved = vec3(dot(a, x), dot(b, x), dot(c, x));
  // normals transform by the cofactor matrix of the map
  ${smooth ? "turned = normal * mat3(cross(b.xyz, c.xyz), cross(c.xyz, a.xyz), cross(a.xyz, b.xyz));" : ""}
}`;
}

const MOVED = `#version 300 es
precision highp float;
layout(location = ${PLACES.position}) in vec3 moved;
uniform mat4 view;`;

// `tint` is the name of the vertex colour attribute, if any.
export function surface({ smooth, pictured, tint }) {
  const carried = [
    smooth ? "vec3 up" : "vec3 place", ...(pictured ? ["vec2 at"] : []), ...(tint ? ["vec4 stain"] : []),
  ];
  const vertex = `${MOVED}
layout(location = ${PLACES.normal}) in vec3 turned;
layout(location = ${PLACES.uv}) in vec2 uv;
${tint ? `layout(location = ${PLACES[tint]}) in vec4 tint;` : ""}
${carried.map((value) => `out ${value};`).join(" ")}
void main() {
  ${smooth ? "up = turned;" : "place = moved;"}
  ${pictured ? "at = uv;" : ""}
  ${tint ? "stain = tint;" : ""}
  gl_Position = view * vec4(moved, 1.0);
}`;
  const fragment = `#version 300 es
precision highp float;
${carried.map((value) => `in ${value};`).join(" ")}
uniform vec4 base; uniform vec3 glow; uniform vec3 sky; uniform mat3 lens; uniform float cutoff; uniform sampler2D picture;
out vec4 shown;
void main() {
  vec3 n = normalize(${smooth ? "up" : "cross(dFdx(place), dFdy(place))"});
  vec3 to = -normalize(lens * vec3(gl_FragCoord.xy, 1.0));
  if (dot(n, to) < 0.0) n = -n;
  vec4 colour = base;
  ${tint ? "colour *= vec4(stain.rgb * stain.rgb, stain.a);" : ""}
  ${pictured ? "vec4 t = texture(picture, at); colour *= vec4(t.rgb * t.rgb, t.a);" : ""}
  if (colour.a < cutoff) discard;
  vec3 sun = normalize(sky + 0.7 * to);
  float shine = max(dot(n, normalize(sun + to)), 0.0);
  for (int i = 0; i < 5; i++) shine *= shine;
  vec3 lit = colour.rgb * (0.34 + 0.18 * dot(n, sky) + 0.62 * max(dot(n, sun), 0.0)) + 0.12 * shine + glow;
  shown = vec4(sqrt(lit), colour.a);
}`;
  return [vertex, fragment];
}

// Projects the object onto its floor along the light; geometry below the floor casts no shadow.
export const SHADOW = `${MOVED}
uniform vec3 level; uniform vec3 light; uniform float ground;
void main() {
  vec3 fallen = moved - light * (max(dot(moved, level) - ground, 0.0) / dot(light, level));
  gl_Position = view * vec4(fallen, 1.0);
}`;

export const SHADE = `#version 300 es
precision highp float;
out vec4 shown; void main() { shown = vec4(0.2, 0.25, 0.35, 0.16); }`;

export const NOTHING = `#version 300 es
precision highp float;
void main() {}`;

// Squares the sRGB encoding of a linear colour: the shader adds light to it and shows the square root.
export function linear(colour) {
  return colour.map((x, i) => (i === 3 ? x : (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055) ** 2));
}

export const LINES = `#version 300 es
precision highp float;
in vec3 position; in vec4 color; uniform mat4 view; uniform float size; out vec4 tint;
void main() { tint = color; gl_Position = view * vec4(position, 1.0); gl_PointSize = size; }`;

export const PLAIN = `#version 300 es
precision highp float;
in vec4 tint; out vec4 shown; void main() { shown = tint; }`;
