// Lines and points over the object: joint axes, handles, mouse spring, wind, edges.
import { add, cross, mapped, scale, sub, unit } from "./maths.js";

const TURN = [216, 76, 48, 255], SLIDE = [38, 112, 204, 255], OTHER = [124, 84, 188, 255];
const INKS = { revolute: TURN, continuous: TURN, prismatic: SLIDE };
const HANDLE = [230, 126, 34, 255], HAND = [192, 57, 43, 255], EDGE = [30, 40, 55, 110];
const WIND = [52, 140, 200, 230];
const REACH = 0.35, RING = 0.06, WIDTH = 0.0014;

// A hinge is a line with a ring, a slide a line with two heads; both move with the parent link.
export function jointLines(scene, maps) {
  const found = [];
  for (const { kind, pivot, direction, handle } of scene.joints) {
    const go = (p) => (handle < 0 ? p : mapped(maps, 12 * handle, p));
    const ink = INKS[kind] ?? OTHER;
    const line = (a, b) => found.push(...go(a), ...ink, ...go(b), ...ink);
    const tip = (s) => add(pivot, scale(direction, s * REACH));
    line(tip(-1), tip(1));
    const across = unit(cross(direction, Math.abs(direction[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    const other = cross(direction, across);
    if (kind === "prismatic") {
      for (const s of [-1, 1])
        for (const side of [-1, 1]) line(tip(s), add(tip(0.8 * s), scale(across, side * RING)));
    } else {
      const ring = (i) => {
        const angle = (i * Math.PI) / 12;
        return add(pivot, add(scale(across, RING * Math.cos(angle)), scale(other, RING * Math.sin(angle))));
      };
      for (let i = 0; i < 24; i++) line(ring(i), ring(i + 1));
    }
  }
  return found;
}

export function handlePoints(arrays, maps) {
  const found = [];
  for (let h = 0; h < maps.length / 12; h++) {
    const p = [...arrays.centres.subarray(3 * h, 3 * h + 3)];
    found.push(...mapped(maps, 12 * h, p), ...HANDLE);
  }
  return found;
}

export function handLines(from, to, camera) {
  const { right, above } = camera.axes();
  const size = 0.006 * camera.distance;
  const found = [...from, ...HAND, ...to, ...HAND];
  for (const way of [right, above])
    found.push(...sub(to, scale(way, size)), ...HAND, ...add(to, scale(way, size)), ...HAND);
  return found;
}

// Three arrows above the floor, with a length that grows with the wind: along x at heading 0, counter-clockwise.
export function windLines(scene, { wind, heading }, camera) {
  const angle = (heading * Math.PI) / 180, { up } = camera.level, forward = [1, 0, 0], left = cross(up, forward);
  const way = add(scale(forward, Math.cos(angle)), scale(left, Math.sin(angle))), aside = cross(up, way);
  const size = 0.25 + wind / 40, found = [];
  const line = (a, b) => found.push(...a, ...WIND, ...b, ...WIND);
  for (const row of [-1, 0, 1]) {
    const tail = add(add(scale(way, -1.5), scale(aside, 0.35 * row)), scale(up, scene.floor + 0.02));
    const head = add(tail, scale(way, size));
    line(tail, head);
    for (const side of [-1, 1]) line(head, add(head, add(scale(way, -0.09), scale(aside, 0.06 * side))));
  }
  return found;
}

// Pairs of points as thin bands that face the eye, with a width proportional to the camera distance.
export function bands(lines, camera) {
  const found = [];
  for (let i = 0; i < lines.length; i += 14) {
    const a = lines.slice(i, i + 3), b = lines.slice(i + 7, i + 10), ink = lines.slice(i + 3, i + 7);
    const half = scale(unit(cross(sub(b, a), sub(camera.eye, a))), WIDTH * camera.distance);
    const [a0, a1, b0, b1] = [sub(a, half), add(a, half), sub(b, half), add(b, half)];
    for (const corner of [a0, a1, b0, b0, a1, b1]) found.push(...corner, ...ink);
  }
  return found;
}

export function edgeLines(positions, faces) {
  const found = [];
  for (let f = 0; f < faces.length; f += 3)
    for (let i = 0; i < 3; i++) {
      const a = faces[f + i], b = faces[f + ((i + 1) % 3)];
      found.push(...positions.subarray(3 * a, 3 * a + 3), ...EDGE, ...positions.subarray(3 * b, 3 * b + 3), ...EDGE);
    }
  return found;
}
