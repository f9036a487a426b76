// The energies of the last seconds as lines.

const SECONDS = 8;
const LINES = [["kinetic", "#d64541"], ["potential", "#2471a3"], ["work", "#289b5f"], ["dissipation", "#7d3c98"]];

export class Plot {
  constructor(canvas, legend) {
    this.canvas = canvas;
    this.clear();
    for (const [name, colour] of LINES) {
      const item = document.createElement("span"), mark = document.createElement("i");
      mark.style.background = colour;
      item.append(mark, name);
      legend.append(item);
    }
  }

  clear() {
    this.points = [];
    this.origin = null;
  }

  // Potential, work and dissipation count from where the plot began.
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
    const every = points.flatMap((p) => p.slice(1));
    const high = Math.max(1e-12, ...every), low = Math.min(0, ...every);
    const end = points.at(-1)[0];
    const x = (t) => canvas.width * (1 - (end - t) / SECONDS);
    const y = (e) => 10 + (canvas.height - 20) * (1 - (e - low) / (high - low));
    context.strokeStyle = "#d9dde4";
    context.lineWidth = 2;
    line(context, [[0, y(0)], [canvas.width, y(0)]]);
    LINES.forEach(([, colour], i) => {
      context.strokeStyle = colour;
      line(context, points.map((p) => [x(p[0]), y(p[i + 1])]));
    });
    context.fillStyle = "#6a7280";
    context.font = "20px system-ui, sans-serif";
    context.fillText(`${high.toPrecision(2)} J`, 8, 26);
  }
}

function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}
