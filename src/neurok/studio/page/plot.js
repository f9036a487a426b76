// Plots the energies of the last seconds, with current values.

const SECONDS = 8;
const LINES = [
  ["kinetic", "#d64541", "Kinetic energy"], ["potential", "#2471a3", "Potential energy of height, stiffness and mouse spring, relative to the start of the plot"],
  ["work", "#289b5f", "Work of mouse and wind"], ["lost", "#7d3c98", "Energy lost to damping, friction and impacts"],
];

export class Plot {
  constructor(canvas, legend, scale) {
    [this.canvas, this.scale] = [canvas, scale];
    this.clear();
    this.outputs = LINES.map(([name, colour, tip]) => {
      const item = document.createElement("div"), mark = document.createElement("i"), output = document.createElement("output");
      mark.style.background = colour;
      item.title = tip;
      item.append(mark, name, output);
      legend.append(item);
      return output;
    });
  }

  clear() {
    this.points = [];
    this.origin = null;
  }

  // Potential energy, work and dissipation are relative to the start of the plot.
  add(time, values) {
    if (this.points.length && time < this.points.at(-1)[0]) this.clear();
    this.origin ??= [0, values[1], values[2], values[3]];
    this.points.push([time, ...values.map((x, i) => x - this.origin[i])]);
    while (this.points.length && this.points[0][0] < time - SECONDS) this.points.shift();
  }

  draw() {
    const { canvas, points } = this, context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (points.length < 2) return;
    let high = 1e-12, low = 0;
    for (const [, ...values] of points) {
      high = Math.max(high, ...values);
      low = Math.min(low, ...values);
    }
    const end = points.at(-1)[0];
    const x = (t) => canvas.width * (1 - (end - t) / SECONDS);
    const y = (e) => 4 + (canvas.height - 8) * (1 - (e - low) / (high - low));
    context.strokeStyle = "#c6ccd5";
    context.lineWidth = 1;
    line(context, [[0, y(0)], [canvas.width, y(0)]]);
    context.lineWidth = 3;
    LINES.forEach(([, colour], i) => {
      context.strokeStyle = colour;
      line(context, points.map((p) => [x(p[0]), y(p[i + 1])]));
      this.outputs[i].textContent = joules(points.at(-1)[i + 1]);
    });
    this.scale.textContent = `up to ${joules(high)}, last ${SECONDS} s`;
  }
}

function joules(energy) {
  const size = Math.abs(energy);
  if (size < 1e-6) return "0 J";
  const [factor, unit] = size < 0.1 ? [1e3, "mJ"] : size < 1e3 ? [1, "J"] : [1e-3, "kJ"];
  return `${Number((energy * factor).toPrecision(size * factor >= 100 ? 3 : 2))} ${unit}`;
}

function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}
