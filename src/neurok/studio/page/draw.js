// The object, its floor and what is shown of its inside, by WebGL 2.
import { LINES, PLAIN, SURFACE, skinned } from "./shaders.js";

const GRID = { cells: 12, size: 0.5, colour: [150, 160, 175, 90] };

export class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    const smooth = window.devicePixelRatio < 2 && !isSoftware();
    this.gl = canvas.getContext("webgl2", { antialias: smooth, alpha: false });
    if (!this.gl) throw new Error("This browser offers no WebGL 2.");
    this.lines = program(this.gl, LINES, PLAIN);
    this.object = null;
  }

  // Buffers of an object; those of the one before are given back.
  async load(scene, arrays) {
    const gl = this.gl;
    const groups = arrays.weights.length / scene.vertices / 4;
    const shader = program(gl, skinned(groups), SURFACE);
    const object = { shader, scene, owned: [], maps: null, count: arrays.faces.length };
    object.vertices = gl.createVertexArray();
    gl.bindVertexArray(object.vertices);
    const attribute = (name, data, size, options = {}) => this.attribute(object, name, data, size, options);
    attribute("position", arrays.positions, 3);
    if (arrays.normals) attribute("normal", arrays.normals, 3);
    if (arrays.uv) attribute("uv", arrays.uv, 2);
    if (arrays.colors) attribute("color", arrays.colors, 4, { normalised: true });
    else gl.vertexAttrib4f(gl.getAttribLocation(shader, "color"), 1, 1, 1, 1);
    attribute("part", arrays.parts, 4, { normalised: true });
    const stride = 4 * groups;
    for (let g = 0; g < groups; g++) {
      attribute(`w${g}`, arrays.weights, 4, { stride: 4 * stride, offset: 16 * g });
      attribute(`h${g}`, arrays.handles, 4, { stride: 2 * stride, offset: 8 * g, whole: true });
    }
    const index = gl.createBuffer();
    object.owned.push(index);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, arrays.faces, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    object.smoothed = arrays.normals ? 1 : 0;
    object.coloured = Boolean(arrays.colors);
    object.table = texture(gl, gl.NEAREST);
    object.materials = scene.materials.map((m) => ({ ...m, picture: null }));
    const before = this.object;
    this.object = object;
    if (before) this.free(before);
    await Promise.all(object.materials.map((m) => this.picture(object, m, arrays)));
  }

  attribute(object, name, data, size, { normalised = false, stride = 0, offset = 0, whole = false }) {
    const gl = this.gl;
    const place = gl.getAttribLocation(object.shader, name);
    if (place < 0) return;
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
  }

  async picture(object, material, arrays) {
    if (!material.texture) return;
    const gl = this.gl;
    const blob = new Blob([arrays[material.texture]], { type: material.mime });
    let image;
    try {
      image = await createImageBitmap(blob, { imageOrientation: "flipY" });
    } catch {
      return; // a picture that the browser can't read
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
    gl.deleteVertexArray(object.vertices);
    gl.deleteProgram(object.shader);
  }

  draw(camera, maps, show, extra) {
    const gl = this.gl;
    this.fit();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0.914, 0.929, 0.949, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const view = camera.matrix();
    if (!this.object || !maps) return;
    if (show.floor) this.segments(gl.LINES, view, floorGrid(this.object.scene), false);
    this.surface(camera, view, maps, show);
    for (const { mode, points, over, size } of extra) this.segments(gl[mode], view, points, over, size);
  }

  surface(camera, view, maps, show) {
    const gl = this.gl, object = this.object, at = (name) => gl.getUniformLocation(object.shader, name);
    gl.useProgram(object.shader);
    gl.bindVertexArray(object.vertices);
    if (!object.coloured) gl.vertexAttrib4f(gl.getAttribLocation(object.shader, "color"), 1, 1, 1, 1);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, object.table);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 3, maps.length / 12, 0, gl.RGBA, gl.FLOAT, maps);
    gl.uniform1i(at("maps"), 0);
    gl.uniform1i(at("picture"), 1);
    gl.uniformMatrix4fv(at("view"), false, view);
    gl.uniform3fv(at("eye"), camera.eye);
    gl.uniform3fv(at("sky"), camera.up);
    gl.uniform1f(at("smoothed"), object.smoothed);
    gl.uniform1f(at("parts"), show.parts ? 1 : 0);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const order = [...object.materials].sort((a, b) => (a.alpha === "BLEND") - (b.alpha === "BLEND"));
    for (const m of order) {
      gl[m.alpha === "BLEND" ? "enable" : "disable"](gl.BLEND);
      gl.uniform4fv(at("base"), m.color);
      gl.uniform3fv(at("glow"), m.glow);
      gl.uniform1f(at("cutoff"), m.alpha === "MASK" ? m.cutoff : 0.004);
      gl.uniform1f(at("pictured"), m.picture ? 1 : 0);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, m.picture);
      gl.drawElements(gl.TRIANGLES, 3 * m.count, gl.UNSIGNED_INT, 12 * m.start);
    }
    gl.bindVertexArray(null);
    gl.disable(gl.BLEND);
  }

  // Points or lines of seven numbers each: a place and a colour of 0 … 255.
  segments(mode, view, points, over, size = 1) {
    const gl = this.gl;
    gl.useProgram(this.lines);
    const data = new Float32Array(points);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data.map((x, i) => (i % 7 < 3 ? x : x / 255)), gl.STREAM_DRAW);
    const [place, colour] = ["position", "color"].map((name) => gl.getAttribLocation(this.lines, name));
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 28, 0);
    gl.enableVertexAttribArray(colour);
    gl.vertexAttribPointer(colour, 4, gl.FLOAT, false, 28, 12);
    gl.uniformMatrix4fv(gl.getUniformLocation(this.lines, "view"), false, view);
    gl.uniform1f(gl.getUniformLocation(this.lines, "size"), size);
    gl[over ? "disable" : "enable"](gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArrays(mode, 0, data.length / 7);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.disableVertexAttribArray(place);
    gl.disableVertexAttribArray(colour);
    gl.deleteBuffer(buffer);
  }

  fit() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.canvas.clientHeight * ratio);
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.canvas.width = width;
    this.canvas.height = height;
  }
}

// Without a GPU, smooth edges would halve the speed.
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const told = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = told ? gl.getParameter(told.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

function program(gl, vertex, fragment) {
  const found = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(found, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(found);
  if (!gl.getProgramParameter(found, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(found));
  return found;
}

function texture(gl, smaller) {
  const found = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, found);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smaller);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, smaller === gl.NEAREST ? gl.NEAREST : gl.LINEAR);
  return found;
}

function floorGrid(scene) {
  const found = [], reach = (GRID.cells / 2) * GRID.size;
  const level = (a, b) => (scene.up === "y" ? [a, scene.floor, b] : [a, b, scene.floor]);
  for (let i = 0; i <= GRID.cells; i++) {
    const k = i * GRID.size - reach;
    for (const [a, b] of [[level(k, -reach), level(k, reach)], [level(-reach, k), level(reach, k)]])
      found.push(...a, ...GRID.colour, ...b, ...GRID.colour);
  }
  return found;
}
