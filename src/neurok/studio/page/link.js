// The WebSocket to the server, and the decoding of its binary messages.

const KINDS = { f4: Float32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array };

export class Link {
  constructor(handlers) {
    this.handlers = handlers;
    this.open();
  }

  open() {
    const where = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket${location.search}`;
    this.socket = new WebSocket(where);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => this.take(event.data);
    this.socket.onclose = (event) => {
      this.handlers.closed(event.reason);
      setTimeout(() => this.open(), 1500);
    };
  }

  say(type, values = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, ...values }));
  }

  async upload(file) {
    const data = await file.arrayBuffer();
    this.say("upload", { name: file.name });
    this.socket.send(data);
  }

  take(data) {
    if (typeof data === "string") {
      const message = JSON.parse(data);
      this.handlers[message.type]?.(message);
      return;
    }
    const size = new DataView(data).getUint32(0, true);
    if (size === 0) {
      this.handlers.frame(new Float32Array(data), data.byteLength);
      return;
    }
    const message = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
    const arrays = {};
    for (const { name, kind, offset, count } of message.arrays)
      arrays[name] = new KINDS[kind](data, 4 + size + offset, count);
    this.handlers[message.type]?.(message, arrays);
  }
}
