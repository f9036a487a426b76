// node pose.mjs FILE OUT TIMES: positions of every vertex of a glTF file in three.js, at rest and in each clip.
// OUT receives float32 positions: the rest pose, then TIMES evenly spaced times of each clip.
// Prints the order: {meshes: [{node, primitive, count}], clips: [{name, times}]}.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AnimationMixer, LoopOnce, Matrix4, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const [file, out, count] = process.argv.slice(2);

async function read(path) {
  const bytes = await readFile(path);
  if (bytes.toString("latin1", 0, 4) !== "glTF") {
    const json = JSON.parse(bytes.toString("utf8"));
    return [json, await readFile(resolve(dirname(path), json.buffers[0].uri))];
  }
  const length = bytes.readUInt32LE(12);
  return [JSON.parse(bytes.toString("utf8", 20, 20 + length)), bytes.subarray(28 + length)];
}

// Only shapes matter here, and Node cannot decode pictures: the file is given to three.js without materials.
function bare(json, binary) {
  for (const key of ["images", "textures", "materials", "samplers"]) delete json[key];
  for (const mesh of json.meshes) for (const primitive of mesh.primitives) delete primitive.material;
  delete json.buffers[0].uri;
  const text = Buffer.from(JSON.stringify(json));
  const chunks = [[text, 0x4e4f534a, 0x20], [binary, 0x004e4942, 0]].map(([data, kind, filler]) => {
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4, filler);
    data.copy(padded);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(padded.length, 0);
    head.writeUInt32LE(kind, 4);
    return Buffer.concat([head, padded]);
  });
  const body = Buffer.concat(chunks);
  const head = Buffer.alloc(12);
  head.write("glTF", "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  const whole = Buffer.concat([head, body]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length);
}

const gltf = await new GLTFLoader().parseAsync(bare(...(await read(file))), "");

function nodeOf(object) {
  for (let at = object; at; at = at.parent) {
    const found = gltf.parser.associations.get(at);
    if (found?.nodes !== undefined) return found.nodes;
  }
}

const meshes = [];
gltf.scene.traverse((object) => {
  if (object.isMesh) {
    const primitive = gltf.parser.associations.get(object)?.primitives ?? 0;
    meshes.push({ object, node: nodeOf(object), primitive });
  }
});
meshes.sort((a, b) => a.node - b.node || a.primitive - b.primitive);

function positions() {
  gltf.scene.updateMatrixWorld(true);
  const found = [];
  const point = new Vector3();
  const place = new Matrix4();
  for (const { object } of meshes) {
    for (let k = 0; k < (object.isInstancedMesh ? object.count : 1); k++) {
      for (let i = 0; i < object.geometry.attributes.position.count; i++) {
        object.getVertexPosition(i, point);
        if (object.isInstancedMesh) {
          object.getMatrixAt(k, place);
          point.applyMatrix4(place);
        }
        point.applyMatrix4(object.matrixWorld);
        found.push(point.x, point.y, point.z);
      }
    }
  }
  return new Float32Array(found);
}

const frames = [positions()];
const clips = [];
for (const clip of gltf.animations) {
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce);
  action.clampWhenFinished = true;
  const times = [];
  for (let i = 0; i < count; i++) {
    times.push((clip.duration * i) / (count - 1));
    action.reset().play();
    mixer.setTime(times[i]);
    frames.push(positions());
  }
  mixer.stopAllAction();
  clips.push({ name: clip.name, times });
}
await writeFile(out, Buffer.concat(frames.map((f) => Buffer.from(f.buffer))));
const order = meshes.map(({ object, node, primitive }) => ({
  node,
  primitive,
  count: object.geometry.attributes.position.count,
}));
console.log(JSON.stringify({ meshes: order, clips }));
