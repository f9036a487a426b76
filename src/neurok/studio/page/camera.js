// An orbit camera about a target, and the rays of its pixels.
import { add, cross, lookAt, multiply, perspective, scale, sub, unit } from "./maths.js";

const FOV = (38 * Math.PI) / 180;

export class Camera {
  constructor(canvas) {
    this.canvas = canvas;
    this.setUp("y");
  }

  setUp(up) {
    this.level = up === "y" ? { up: [0, 1, 0], front: [0, 0, 1] } : { up: [0, 0, 1], front: [0, -1, 0] };
    this.tilt(0);
    this.target = [0, 0.08, 0];
    if (up === "z") this.target.reverse();
    this.angle = 0.55;
    this.height = 0.38;
    this.distance = 4.4;
  }

  // Tilts the ground about x: in the object's frame, the camera rotates the other way.
  tilt(degrees) {
    const c = Math.cos((degrees * Math.PI) / 180), s = Math.sin((degrees * Math.PI) / 180);
    const turned = ([x, y, z]) => [x, c * y + s * z, c * z - s * y];
    this.up = turned(this.level.up);
    this.front = turned(this.level.front);
    this.side = cross(this.up, this.front);
  }

  get eye() {
    const level = add(scale(this.front, Math.cos(this.angle)), scale(this.side, Math.sin(this.angle)));
    const way = add(scale(level, Math.cos(this.height)), scale(this.up, Math.sin(this.height)));
    return add(this.target, scale(way, this.distance));
  }

  get aspect() {
    return this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
  }

  matrix() {
    const near = Math.max(0.02, this.distance - 4);
    return multiply(perspective(FOV, this.aspect, near, this.distance + 12), lookAt(this.eye, this.target, this.up));
  }

  axes() {
    const away = unit(sub(this.target, this.eye));
    const right = unit(cross(away, this.up));
    return { away, right, above: cross(right, away) };
  }

  // A matrix, by columns, from a pixel (x, y, 1) with its origin at the bottom to the direction from the eye.
  lens(width, height) {
    const { away, right, above } = this.axes();
    const tan = Math.tan(FOV / 2), wide = tan * this.aspect;
    const corner = sub(sub(away, scale(right, wide)), scale(above, tan));
    return [...scale(right, (2 * wide) / width), ...scale(above, (2 * tan) / height), ...corner];
  }

  // The ray from the eye through a pixel of the page.
  ray(x, y) {
    const box = this.canvas.getBoundingClientRect();
    const tan = Math.tan(FOV / 2);
    const { away, right, above } = this.axes();
    const u = ((2 * (x - box.left)) / box.width - 1) * tan * this.aspect;
    const v = (1 - (2 * (y - box.top)) / box.height) * tan;
    return { origin: this.eye, direction: unit(add(away, add(scale(right, u), scale(above, v)))) };
  }

  turn(dx, dy) {
    this.angle -= 0.008 * dx;
    this.height = Math.min(1.5, Math.max(-1.3, this.height + 0.008 * dy));
  }

  shift(dx, dy) {
    const { right, above } = this.axes();
    const pixel = (2 * this.distance * Math.tan(FOV / 2)) / Math.max(this.canvas.clientHeight, 1);
    this.target = add(this.target, add(scale(right, -dx * pixel), scale(above, dy * pixel)));
  }

  zoom(amount) {
    this.distance = Math.min(20, Math.max(0.4, this.distance * Math.exp(0.001 * amount)));
  }
}
