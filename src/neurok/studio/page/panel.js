// The panel beside the picture: buttons, sliders and messages.

// Label, unit and tooltip of each control.
const CONTROLS = {
  gravity: ["gravity", "m/s²", "Gravitational acceleration"],
  wind: ["wind", "m/s", "Wind speed"],
  heading: ["wind towards", "°", "Direction that the wind blows to, shown by arrows"],
  tilt: ["tilt", "°", "Tilt of the ground"],
  damping: ["damping", "/s", "Damping rate of all motion"],
  stiffness: ["stiffness", "×", "Multiple of the object's own stiffness"],
};
const UNITS = { angle: "°", length: "", number: "" };
const find = (id) => document.getElementById(id);

export class Panel {
  constructor(say) {
    this.say = say;
    this.sliders = [];
    this.controls = {}; // current values
    this.held = -1;
    find("pause").onclick = () => this.pause(!this.paused);
    find("reset").onclick = () => say("reset");
    find("record").onclick = () => this.record(!this.recording);
    find("kind").onchange = (event) => say("kinematics", { kind: event.target.value });
  }

  pause(on) {
    this.paused = on;
    find("pause").textContent = on ? "Resume" : "Pause";
    find("pause").classList.toggle("on", on);
    this.say("pause", { on });
  }

  record(on) {
    find("record").disabled = true; // until the server answers
    this.say("record", { on });
  }

  gallery(names, open) {
    find("gallery").replaceChildren(...names.map((name) => button(name, () => open(name), `open-${name}`)));
  }

  exports(suffixes) {
    const make = (suffix) => button(`Save ${suffix.slice(1, 4).toUpperCase()}`, () => this.say("export", { suffix }), `export${suffix.replace(".", "-")}`);
    find("exports").replaceChildren(...suffixes.map(make));
    this.recorded(false, 0);
  }

  recorded(on, seconds) {
    this.recording = on;
    find("record").disabled = false;
    find("record").textContent = on ? "Stop" : "Record";
    find("record").classList.toggle("on", on);
    for (const item of find("exports").children) item.disabled = on || !(seconds > 0);
    if (!on && seconds > 0) this.message(`Recorded ${seconds.toFixed(1)} s.`, true);
  }

  scene(scene) {
    find("summary").textContent = scene.summary[0];
    find("assumed").replaceChildren(...[...scene.summary.slice(1), ...scene.notes].map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
    this.paused = false;
    find("pause").textContent = "Pause";
    find("pause").classList.remove("on");
    this.recorded(false, 0);
    this.surroundings(scene);
    this.coordinates(scene.coordinates);
    for (const item of find("gallery").children) item.classList.toggle("on", item.id === `open-${scene.name}`);
    this.message("");
  }

  surroundings(scene) {
    this.controls = { ...scene.controls };
    const set = (name, value) => {
      this.controls[name] = value;
      this.say("controls", { values: { [name]: value } });
    };
    const rows = Object.entries(CONTROLS)
      .filter(([name]) => name !== "stiffness" || scene.stiffness)
      .map(([name, [words, unit, tip]]) => {
        const [low, high] = scene.ranges[name];
        const powers = name === "stiffness"; // logarithmic slider
        const to = powers ? Math.log2 : (x) => x, from = powers ? (x) => 2 ** x : (x) => x;
        const row = slider(words, to(low), to(high), to(scene.controls[name]), `control-${name}`);
        const show = (x) => (row.output.textContent = `${round(from(x))} ${unit}`);
        const change = (x) => {
          show(x);
          set(name, Math.min(high, Math.max(low, from(x))));
        };
        row.element.title = `${tip}: ${round(low)} to ${round(high)} ${unit}. Double click to reset.`;
        show(to(scene.controls[name]));
        row.input.oninput = () => change(row.input.valueAsNumber);
        row.input.ondblclick = () => {
          row.input.value = to(scene.controls[name]);
          row.input.dispatchEvent(new Event("input", { bubbles: true }));
        };
        return row.element;
      });
    const box = document.createElement("input"), label = document.createElement("label");
    box.type = "checkbox";
    box.id = "control-floor";
    box.checked = scene.controls.floor;
    box.onchange = () => set("floor", box.checked);
    label.className = "check";
    label.append(box, " floor");
    find("controls").replaceChildren(...rows, label);
  }

  // The simulation stands still while a slider is held.
  coordinates(list) {
    this.sliders = list.map(({ name, low, high, rest, quantity }, index) => {
      const row = slider(name, low, high, rest, `coordinate-${index}`);
      const factor = quantity === "angle" ? 180 / Math.PI : 1;
      row.show = (value) => (row.output.textContent = `${round(value * factor)}${UNITS[quantity]}`);
      row.show(rest);
      row.element.title = `${name}: ${round(low * factor)} to ${round(high * factor)}${UNITS[quantity]}`;
      const send = (held) => this.say("pose", { index, value: row.input.valueAsNumber, held });
      row.input.oninput = () => {
        this.held = index;
        row.show(row.input.valueAsNumber);
        send(true);
      };
      row.input.onchange = () => {
        this.held = -1;
        send(false);
      };
      return row;
    });
    find("coordinates").replaceChildren(...this.sliders.map((row) => row.element));
  }

  follow(q) {
    this.sliders.forEach((row, i) => {
      if (i === this.held) return;
      row.input.value = q[i];
      row.show(q[i]);
    });
  }

  message(text, calm = false) {
    clearTimeout(this.timer);
    find("message").textContent = text;
    find("message").classList.toggle("shown", Boolean(text));
    find("message").classList.toggle("calm", calm);
    if (calm) this.timer = setTimeout(() => this.message(""), 4000);
  }

  progress(text, share) {
    find("progress").classList.toggle("shown", Boolean(text));
    find("progress-text").textContent = text;
    find("done").style.width = `${100 * share}%`;
  }
}

function button(text, action, id) {
  const found = document.createElement("button");
  found.textContent = text;
  found.onclick = action;
  found.id = id;
  return found;
}

function slider(words, low, high, value, id) {
  const element = document.createElement("label"), name = document.createElement("span");
  const input = document.createElement("input"), output = document.createElement("output");
  element.className = "slider";
  name.textContent = words;
  Object.assign(input, { type: "range", min: low, max: high, step: "any", id });
  input.value = value;
  element.append(name, input, output);
  return { element, input, output };
}

function round(x) {
  return Math.abs(x) < 0.005 ? "0" : x.toFixed(Math.abs(x) < 10 ? 2 : 1);
}
