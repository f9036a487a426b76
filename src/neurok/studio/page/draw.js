// Draws the object, its floor and overlays with WebGL 2.
import { LINES, NOTHING, PLACES, PLAIN, SHADE, SHADOW, linear, skinning, surface } from "./shaders.js";
import { add, length, scale } from "./maths.js";

const GRID = { cells: 28, size: 0.25, colour: [130, 142, 160], strength: 150, fades: 2.2 };
const LIGHT = { up: 1, side: -0.35, front: 0.3 };

export class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    this.sharpness = 1; // drawn pixels per shown pixel along one side
    const smooth = window.devicePixelRatio < 2 && !isSoftware();
    this.gl = canvas.getContext("webgl2", { antialias: smooth, alpha: false, stencil: true });
    if (!this.gl) throw new Error("This browser does not support WebGL 2.");
    this.lines = program(this.gl, LINES, PLAIN);
    this.object = null;
  }

  // Creates the buffers of an object and frees those of the previous one.
  async load(scene, arrays) {
    const gl = this.gl;
    const groups = arrays.weights.length / scene.vertices / 4;
    const object = { scene, owned: [], shaders: {}, arrays, maps: null };
    object.rest = gl.createVertexArray();
    gl.bindVertexArray(object.rest);
    this.attribute(object, PLACES.position, arrays.positions, 3);
    if (arrays.normals) this.attribute(object, PLACES.normal, arrays.normals, 3);
    const stride = 4 * groups;
    for (let g = 0; g < groups; g++) {
      this.attribute(object, PLACES.weights + g, arrays.weights, 4, { stride: 4 * stride, offset: 16 * g });
      this.attribute(object, PLACES.handles + g, arrays.handles, 4, { stride: 2 * stride, offset: 8 * g, whole: true });
    }
    object.vertices = gl.createVertexArray();
    gl.bindVertexArray(object.vertices);
    const moved = arrays.normals ? ["position", "normal"] : ["position"];
    const buffers = moved.map((name) => this.attribute(object, PLACES[name], new Float32Array(3 * scene.vertices), 3));
    if (arrays.uv) this.attribute(object, PLACES.uv, arrays.uv, 2);
    if (arrays.colors) this.attribute(object, PLACES.color, arrays.colors, 4, { normalised: true });
    this.attribute(object, PLACES.part, arrays.parts, 4, { normalised: true });
    const index = gl.createBuffer();
    object.owned.push(index);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, arrays.faces, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    object.skin = program(gl, skinning(groups, Boolean(arrays.normals)), NOTHING, ["moved", "turned"].slice(0, moved.length));
    object.feedback = gl.createTransformFeedback();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, object.feedback);
    buffers.forEach((buffer, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer));
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    object.grid = this.inked(floorGrid(scene), gl.STATIC_DRAW);
    object.owned.push(object.grid.buffer);
    object.table = texture(gl, gl.NEAREST);
    object.materials = scene.materials.map((m) => ({ ...m, color: linear(m.color), picture: null }));
    object.materials.sort((a, b) => (a.alpha === "BLEND") - (b.alpha === "BLEND"));
    const before = this.object;
    this.object = object;
    if (before) this.free(before);
    await Promise.all(object.materials.map((m) => this.picture(object, m, arrays)));
  }

  attribute(object, place, data, size, { normalised = false, stride = 0, offset = 0, whole = false } = {}) {
    const gl = this.gl;
    let buffer = object.owned.find((b) => b.source === data);
    if (!buffer) {
      buffer = gl.createBuffer();
      buffer.source = data;
      object.owned.push(buffer);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(place);
    const kind = { Float32Array: gl.FLOAT, Uint8Array: gl.UNSIGNED_BYTE, Uint16Array: gl.UNSIGNED_SHORT }[data.constructor.name];
    if (whole) gl.vertexAttribIPointer(place, size, kind, stride, offset);
    else gl.vertexAttribPointer(place, size, kind, normalised, stride, offset);
    return buffer;
  }

  // The shader program of a material, compiled at its first use.
  shader({ shaders, arrays }, pictured, tint) {
    const make = () => surface({ smooth: Boolean(arrays.normals), pictured, tint });
    return (shaders[`${pictured} ${tint}`] ??= program(this.gl, ...make()));
  }

  async picture(object, material, arrays) {
    if (!material.texture) return;
    const gl = this.gl;
    const blob = new Blob([arrays[material.texture]], { type: material.mime });
    let image;
    try {
      image = await createImageBitmap(blob, { imageOrientation: "flipY" });
    } catch {
      return; // an image format that the browser can't decode
    }
    if (this.object !== object) return;
    material.picture = texture(gl, gl.LINEAR_MIPMAP_LINEAR);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.generateMipmap(gl.TEXTURE_2D);
    this.changed = true;
  }

  free(object) {
    const gl = this.gl;
    for (const buffer of object.owned) gl.deleteBuffer(buffer);
    for (const material of object.materials) if (material.picture) gl.deleteTexture(material.picture);
    gl.deleteTexture(object.table);
    gl.deleteTransformFeedback(object.feedback);
    for (const array of [object.rest, object.vertices]) gl.deleteVertexArray(array);
    for (const shader of [object.skin, ...Object.values(object.shaders)]) gl.deleteProgram(shader.made);
  }

  draw(camera, maps, show, extra) {
    const gl = this.gl;
    this.fit();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0.914, 0.929, 0.949, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const view = camera.matrix();
    if (!this.object || !maps) return;
    this.move(maps);
    if (show.floor && show.shadow) this.shadow(camera, view);
    this.surface(camera, view, show);
    if (show.floor) this.segments(gl.LINES, view, this.object.grid, false);
    for (const { mode, points, over, size } of extra) {
      const inked = this.inked(points, gl.STREAM_DRAW);
      this.segments(gl[mode], view, inked, over, size);
      gl.deleteBuffer(inked.buffer);
    }
  }

  // Skins the vertices on the GPU when the maps changed.
  move(maps) {
    const gl = this.gl, object = this.object;
    if (object.maps === maps) return;
    object.maps = maps;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, object.table);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 3, maps.length / 12, 0, gl.RGBA, gl.FLOAT, maps);
    gl.useProgram(object.skin.made);
    gl.uniform1i(object.skin.at.maps, 0);
    gl.bindVertexArray(object.rest);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, object.feedback);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, object.scene.vertices);
    gl.endTransformFeedback();
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindVertexArray(null);
  }

  // The shadow darkens every floor pixel once, regardless of the number of faces above it.
  shadow(camera, view) {
    const gl = this.gl, object = this.object, level = camera.level.up;
    const { made, at } = (object.shaders.shadow ??= program(gl, SHADOW, SHADE));
    gl.useProgram(made);
    gl.bindVertexArray(object.vertices);
    gl.uniformMatrix4fv(at.view, false, view);
    gl.uniform3fv(at.level, level);
    gl.uniform1f(at.ground, object.scene.floor);
    gl.uniform3fv(at.light, ["up", "side", "front"].map((axis) => scale(camera[axis], LIGHT[axis])).reduce(add));
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl[object.scene.solid ? "enable" : "disable"](gl.CULL_FACE); // one side of a solid casts the whole shadow
    gl.drawElements(gl.TRIANGLES, object.arrays.faces.length, gl.UNSIGNED_INT, 0);
    gl.disable(gl.STENCIL_TEST);
    gl.enable(gl.DEPTH_TEST);
    gl.bindVertexArray(null);
  }

  surface(camera, view, show) {
    const gl = this.gl, object = this.object, lens = camera.lens(this.canvas.width, this.canvas.height);
    gl.bindVertexArray(object.vertices);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl[object.scene.solid ? "enable" : "disable"](gl.CULL_FACE); // the inside of a solid is never visible
    for (const m of object.materials) {
      const tint = show.parts ? "part" : object.arrays.colors ? "color" : null;
      const { made, at } = this.shader(object, Boolean(m.picture) && !show.parts, tint);
      gl.useProgram(made);
      gl.uniform1i(at.picture, 0);
      gl.uniformMatrix4fv(at.view, false, view);
      gl.uniformMatrix3fv(at.lens, false, lens);
      gl.uniform3fv(at.sky, camera.up);
      gl[m.alpha === "BLEND" ? "enable" : "disable"](gl.BLEND);
      gl.uniform4fv(at.base, show.parts ? [1, 1, 1, 1] : m.color);
      gl.uniform3fv(at.glow, m.glow);
      gl.uniform1f(at.cutoff, m.alpha === "MASK" ? m.cutoff : 0.004);
      gl.bindTexture(gl.TEXTURE_2D, m.picture);
      gl.drawElements(gl.TRIANGLES, 3 * m.count, gl.UNSIGNED_INT, 12 * m.start);
    }
    gl.bindVertexArray(null);
    gl.disable(gl.BLEND);
    gl.disable(gl.CULL_FACE);
  }

  // Points of seven numbers each: position and RGBA colour in 0 … 255.
  inked(points, use) {
    const gl = this.gl, buffer = gl.createBuffer(), data = new Float32Array(points);
    for (let i = 0; i < data.length; i += 7) for (let c = 3; c < 7; c++) data[i + c] /= 255;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, use);
    return { buffer, count: data.length / 7 };
  }

  segments(mode, view, { buffer, count }, over, size = 1) {
    const gl = this.gl;
    const { made, at } = this.lines;
    gl.useProgram(made);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    const [place, colour] = ["position", "color"].map((name) => gl.getAttribLocation(made, name));
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 28, 0);
    gl.enableVertexAttribArray(colour);
    gl.vertexAttribPointer(colour, 4, gl.FLOAT, false, 28, 12);
    gl.uniformMatrix4fv(at.view, false, view);
    gl.uniform1f(at.size, size);
    gl[over ? "disable" : "enable"](gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArrays(mode, 0, count);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.disableVertexAttribArray(place);
    gl.disableVertexAttribArray(colour);
  }

  fit() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * this.sharpness;
    const width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.canvas.clientHeight * ratio);
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
  }
}

// Antialiasing would halve the speed without a GPU.
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

// `kept` lists the outputs captured by transform feedback, each in its own buffer.
function program(gl, vertex, fragment, kept = []) {
  const found = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(found, shader);
    gl.deleteShader(shader);
  }
  if (kept.length) gl.transformFeedbackVaryings(found, kept, gl.SEPARATE_ATTRIBS);
  gl.linkProgram(found);
  if (!gl.getProgramParameter(found, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(found));
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(found, gl.ACTIVE_UNIFORMS); i++) {
    const { name } = gl.getActiveUniform(found, i);
    at[name] = gl.getUniformLocation(found, name);
  }
  return { made: found, at };
}

function texture(gl, smaller) {
  const found = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, found);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smaller);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, smaller === gl.NEAREST ? gl.NEAREST : gl.LINEAR);
  return found;
}

// Grid lines that fade with the distance from the object.
function floorGrid(scene) {
  const found = [], { cells, size, colour, strength, fades } = GRID, reach = (cells / 2) * size;
  const level = (a, b) => (scene.up === "y" ? [a, scene.floor, b] : [a, b, scene.floor]);
  const corner = (a, b) => [...level(a, b), ...colour, strength * Math.exp(-((length([a, b, 0]) / fades) ** 2))];
  for (let i = 0; i <= cells; i++)
    for (let j = 0; j < cells; j += 2) {
      const [k, a, b] = [i, j, j + 2].map((n) => n * size - reach);
      found.push(...corner(k, a), ...corner(k, b), ...corner(a, k), ...corner(b, k));
    }
  return new Float32Array(found);
}
