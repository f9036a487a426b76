// node validate.mjs FILE...: the report of the Khronos glTF validator on each file, as a JSON list.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import validator from "gltf-validator";

async function validate(file) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
    uri: file,
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(resolve(dirname(file), decodeURIComponent(uri)))),
  });
  const { numErrors, numWarnings, messages } = report.issues;
  return { file, errors: numErrors, warnings: numWarnings, messages };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = [];
  for (const file of process.argv.slice(2)) {
    reports.push(
      await validate(file).catch((failure) => ({
        file,
        errors: 1,
        warnings: 0,
        messages: [{ code: "UNREADABLE", message: String(failure), severity: 0 }],
      })),
    );
  }
  console.log(JSON.stringify(reports));
}
