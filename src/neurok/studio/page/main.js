// The page: draws the server's frames and sends mouse actions to it.
import { Camera } from "./camera.js";
import { Drawing } from "./draw.js";
import { Link } from "./link.js";
import { bands, edgeLines, handLines, handlePoints, jointLines, windLines } from "./overlays.js";
import { FINE, Pace } from "./pace.js";
import { Panel } from "./panel.js";
import { onPlane, pick, skinPositions } from "./picking.js";
import { Plot } from "./plot.js";
import { add, sub } from "./maths.js";

const find = (id) => document.getElementById(id);
const HEAD = 8; // floats of a frame before its coordinates
const PANEL_INTERVAL = 100; // ms between updates of the panel
const canvas = find("view");
const camera = new Camera(canvas);
const panel = new Panel((type, values) => link.say(type, values));
const plot = new Plot(find("plot"), find("legend"), find("scale"));
const pace = new Pace();
let drawing;
try {
  drawing = new Drawing(canvas);
} catch (error) {
  panel.message(error.message);
  throw error;
}
let scene = null, arrays = null, maps = null, hand = null, limits = null, sent = 0;
let changed = true; // the picture must be redrawn
let fresh = false; // a frame has arrived that the server does not yet know to be shown
let updated = 0, fineness = FINE; // time of the panel's last update; quality of the last picture

// Read by benchmarks and tests.
const stats = { frames: 0, drawn: 0, shown: 0, bytes: 0, latencies: [], ready: 0, seen: 0, q: [], vertices: 0 };
window.studio = { stats, camera, place: (x, y) => under(x, y), point: (vertex) => placeOf(vertex) };
const waiting = new Map(); // mouse messages that no frame has answered yet, with the time of the mouse event

const link = new Link({
  hello(message) {
    limits = message;
    panel.gallery(message.gallery, (name) => {
      find("kind").value = "auto";
      panel.message("");
      link.say("open", { name });
    });
    panel.exports(message.formats);
    find("file").accept = message.suffixes.join(",");
    find("limits").textContent = `${message.suffixes.join(" ")}, up to ${message.bytes >> 20} MB`;
    panel.message("");
    const wanted = sessionStorage.getItem("opened");
    link.say("open", { name: message.gallery.includes(wanted) ? wanted : message.gallery[0] });
  },
  progress: ({ text, share }) => panel.progress(text, share),
  error({ text }) {
    panel.progress("", 0);
    panel.message(text);
  },
  recording: ({ on, seconds }) => panel.recorded(on, seconds),
  async scene(message, data) {
    panel.progress("", 0);
    [scene, arrays, hand] = [message, data, null];
    maps = null;
    camera.setUp(scene.up);
    plot.clear();
    panel.scene(scene);
    find("show-joints").disabled = !scene.joints.length;
    sessionStorage.setItem("opened", scene.name);
    stats.vertices = scene.vertices;
    stats.ready += 1;
    changed = true;
    await drawing.load(scene, data);
  },
  frame(values, bytes) {
    fresh = true;
    if (!scene) return;
    const k = scene.coordinates.length;
    maps = values.subarray(HEAD + k);
    stats.q = [...values.subarray(HEAD, HEAD + k)];
    stats.frames += 1;
    stats.bytes = bytes;
    stats.seen = values[7];
    stats.speed = values[6];
    plot.add(values[1], [...values.subarray(2, 6)]);
    changed = true;
  },
  file(message, data) {
    panel.progress("", 0);
    const address = URL.createObjectURL(new Blob([data.data]));
    const anchor = document.createElement("a");
    Object.assign(anchor, { href: address, download: message.name });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    panel.message(`${message.name} is saved.`, true);
  },
  closed(reason) {
    panel.progress("", 0);
    panel.message(`The studio does not respond${reason ? `: ${reason}` : ""}. Trying again …`);
  },
});

// Draws a picture if anything changed. The server sends the next frame after this one is drawn.
function draw(now) {
  requestAnimationFrame(draw);
  if (changed || drawing.changed) paint(pace.drawn(now));
  else if (fineness !== FINE && pace.isRest(now)) paint(FINE);
  if (fresh) link.say("shown");
  fresh = false;
  if (now - updated > PANEL_INTERVAL) updatePanel(now);
}

function paint(how) {
  changed = drawing.changed = false;
  fineness = how;
  drawing.sharpness = how.sharpness;
  const show = { parts: find("show-parts").checked, floor: panel.controls.floor, shadow: how.shadow };
  camera.tilt(panel.controls.tilt ?? 0);
  drawing.draw(camera, maps, show, extras());
  stats.drawn += 1;
  if (fresh) stats.shown += 1;
  for (const [seq, moved] of waiting)
    if (seq <= stats.seen) {
      stats.latencies.push(performance.now() - moved);
      if (stats.latencies.length > 1000) stats.latencies.shift();
      waiting.delete(seq);
    }
}

// Text and plot are updated less often, because a page layout costs more than a picture.
function updatePanel(now) {
  updated = now;
  if (stats.updated === stats.frames) return;
  stats.updated = stats.frames;
  panel.follow(stats.q);
  plot.draw();
  find("speed").textContent = stats.speed < 0.9 ? `${Math.round(100 * stats.speed)} % of real time` : "";
}

function extras() {
  if (!scene || !maps) return [];
  const found = [], over = true;
  const band = (lines, over) => found.push({ mode: "TRIANGLES", points: bands(lines, camera), over });
  if (find("show-wire").checked) found.push({ mode: "LINES", points: edgeLines(skinPositions(arrays, maps), arrays.faces) });
  if (find("show-joints").checked) band(jointLines(scene, maps), over);
  if (find("show-handles").checked) found.push({ mode: "POINTS", points: handlePoints(arrays, maps), over, size: 9 });
  if (panel.controls.wind > 0) band(windLines(scene, panel.controls, camera), false);
  if (hand) band(handLines(placeOf(hand.vertex), hand.target, camera), over);
  return found;
}

function under(x, y) {
  return scene && maps ? pick(camera.ray(x, y), skinPositions(arrays, maps), arrays.faces) : null;
}

function placeOf(vertex) {
  const per = arrays.weights.length / scene.vertices;
  const one = {
    positions: arrays.positions.subarray(3 * vertex, 3 * vertex + 3),
    handles: arrays.handles.subarray(per * vertex, per * (vertex + 1)),
    weights: arrays.weights.subarray(per * vertex, per * (vertex + 1)),
  };
  return [...skinPositions(one, maps)];
}

// The target moves in the plane that faces the camera at the depth of the grabbed point.
function reach(event) {
  const meeting = onPlane(camera.ray(event.clientX, event.clientY), hand.hold, hand.normal);
  hand.target = add(meeting, hand.offset);
  sent += 1;
  waiting.set(sent, event.timeStamp);
  if (waiting.size > 500) waiting.clear();
  return { target: hand.target, seq: sent };
}

canvas.onpointerdown = (event) => {
  canvas.setPointerCapture(event.pointerId);
  canvas.focus();
  const hit = event.button === 0 && !event.shiftKey ? under(event.clientX, event.clientY) : null;
  if (!hit) {
    canvas.dragging = event.button === 0 && !event.shiftKey ? "turn" : "shift";
    return;
  }
  const normal = camera.axes().away;
  hand = { vertex: hit.vertex, hold: hit.point, offset: sub(hit.at, hit.point), normal, target: hit.at };
  canvas.dragging = "hand";
  canvas.classList.add("held");
  link.say("grab", { vertex: hit.vertex, ...reach(event) });
};

canvas.onpointermove = (event) => {
  if (canvas.dragging === "hand") link.say("hand", reach(event));
  else if (canvas.dragging) camera[canvas.dragging](event.movementX, event.movementY);
  if (canvas.dragging) changed = true;
};

canvas.onpointerup = canvas.onpointercancel = () => {
  if (canvas.dragging === "hand") link.say("release");
  hand = null;
  canvas.dragging = null;
  canvas.classList.remove("held");
  changed = true;
};

canvas.oncontextmenu = (event) => event.preventDefault();
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  camera.zoom(event.deltaY);
  changed = true;
}, { passive: false });
canvas.onkeydown = (event) => {
  if (event.key === " ") panel.pause(!panel.paused);
};
for (const id of ["show-parts", "show-joints", "show-handles", "show-wire"]) find(id).onchange = () => (changed = true);
find("controls").addEventListener("input", () => (changed = true));
window.addEventListener("resize", () => (changed = true));

function take(file) {
  if (!file) return;
  const suffix = file.name.slice(file.name.lastIndexOf(".")).toLowerCase();
  if (!limits.suffixes.includes(suffix)) panel.message(`${file.name} is not a supported mesh format. Use one of ${limits.suffixes.join(" ")}.`);
  else if (file.size > limits.bytes) panel.message(`${file.name} has ${Math.round(file.size / 2 ** 20)} MB. Give up to ${limits.bytes >> 20} MB.`);
  else {
    panel.message("");
    panel.progress("sending the file", 0.05);
    find("kind").value = "auto";
    link.upload(file);
  }
}

find("file").onchange = (event) => {
  take(event.target.files[0]);
  event.target.value = "";
};
for (const kind of ["dragover", "dragleave", "drop"])
  window.addEventListener(kind, (event) => {
    event.preventDefault();
    find("drop").classList.toggle("shown", kind === "dragover");
    if (kind === "drop") take(event.dataTransfer.files[0]);
  });

requestAnimationFrame(draw);
