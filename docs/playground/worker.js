// Runs texts in WebAssembly, beside the page, so that the page answers while a kernel runs. After a trap (a panic,
// no memory, no stack) the instance is not used again: the next run makes a new one of the same module.
"use strict";

let compiled;
let instance;

async function ready() {
  compiled ??= fetch("tilewise.wasm").then(async (response) => {
    if (!response.ok) throw new Error(`tilewise.wasm: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
  });
  instance ??= await WebAssembly.instantiate(await compiled, {});
  return instance.exports;
}

function answer(exports) {
  const bytes = new Uint8Array(exports.memory.buffer, exports.tilewise_answer(), exports.tilewise_answer_length());
  return new TextDecoder().decode(bytes);
}

async function load() {
  const exports = await ready();
  exports.tilewise_examples();
  return { kind: "ready", examples: JSON.parse(answer(exports)) };
}

async function run({ id, language, text }) {
  const exports = await ready();
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > exports.tilewise_longest()) {
    const most = exports.tilewise_longest();
    const message = `the text has ${bytes.length} bytes, and the playground takes at most ${most}`;
    return { kind: "trap", id, message };
  }
  const start = performance.now();
  try {
    const at = exports.tilewise_request(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    exports.tilewise_run(language === "wgsl" ? 1 : 0);
    return { kind: "answer", id, answer: JSON.parse(answer(exports)), time: performance.now() - start };
  } catch (trap) {
    instance = undefined;
    let message = "";
    try {
      message = answer(exports);
    } catch {
      // The trap's own words are all there is.
    }
    const words = message.startsWith("panicked") ? message : String(trap);
    return { kind: "trap", id, message: `Tilewise stopped: ${words}` };
  }
}

self.onmessage = async ({ data }) => {
  try {
    self.postMessage(data.kind === "run" ? await run(data) : await load());
  } catch (error) {
    compiled = undefined;
    self.postMessage({ kind: "broken", id: data.id, message: String(error.message ?? error) });
  }
};
