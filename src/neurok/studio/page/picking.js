// Finds the point of the moving surface under a ray; skins the vertices on the CPU as the GPU does.
import { add, dot, scale, sub } from "./maths.js";

export function skinPositions(arrays, maps) {
  const { positions, handles, weights } = arrays;
  const count = positions.length / 3;
  const per = weights.length / count;
  const moved = new Float32Array(positions.length);
  for (let v = 0; v < count; v++) {
    const x = positions[3 * v], y = positions[3 * v + 1], z = positions[3 * v + 2];
    for (let c = 0; c < per; c++) {
      const w = weights[per * v + c];
      if (w === 0) continue;
      const at = 12 * handles[per * v + c];
      for (let i = 0; i < 3; i++)
        moved[3 * v + i] += w * (maps[at + 4 * i] * x + maps[at + 4 * i + 1] * y + maps[at + 4 * i + 2] * z + maps[at + 4 * i + 3]);
    }
  }
  return moved;
}

// The nearest hit: its distance, point and nearest vertex of the face (Möller and Trumbore 1997).
export function pick(ray, positions, faces) {
  const { origin: o, direction: d } = ray;
  let best = Infinity, face = -1;
  const p = positions;
  for (let f = 0; f < faces.length; f += 3) {
    const a = 3 * faces[f], b = 3 * faces[f + 1], c = 3 * faces[f + 2];
    const e1x = p[b] - p[a], e1y = p[b + 1] - p[a + 1], e1z = p[b + 2] - p[a + 2];
    const e2x = p[c] - p[a], e2y = p[c + 1] - p[a + 1], e2z = p[c + 2] - p[a + 2];
    const hx = d[1] * e2z - d[2] * e2y, hy = d[2] * e2x - d[0] * e2z, hz = d[0] * e2y - d[1] * e2x;
    const det = e1x * hx + e1y * hy + e1z * hz;
    if (det > -1e-14 && det < 1e-14) continue;
    const sx = o[0] - p[a], sy = o[1] - p[a + 1], sz = o[2] - p[a + 2];
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) continue;
    const qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
    const v = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const t = (e2x * qx + e2y * qy + e2z * qz) / det;
    if (t > 1e-6 && t < best) { best = t; face = f; }
  }
  if (face < 0) return null;
  const point = add(o, scale(d, best));
  const corners = [0, 1, 2].map((i) => faces[face + i]);
  const place = (v) => [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
  const far = (v) => { const away = sub(place(v), point); return dot(away, away); };
  const vertex = corners.reduce((a, b) => (far(b) < far(a) ? b : a));
  return { distance: best, point, vertex, at: place(vertex) };
}

// The intersection of a ray with the plane through a point.
export function onPlane(ray, point, normal) {
  const across = dot(ray.direction, normal);
  if (Math.abs(across) < 1e-6) return point;
  return add(ray.origin, scale(ray.direction, dot(sub(point, ray.origin), normal) / across));
}
