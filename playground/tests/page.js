// Uses the page of the playground as a person does, and sends what it finds to the server of `page.rs`.
"use strict";

// A block, as scripts of a page share their outermost names.
{
const scenario = document.currentScript.dataset.scenario;
const errors = [];
addEventListener("error", ({ message, target }) => {
  errors.push(message || `cannot load ${target.src ?? target.href}`);
}, true);
addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
  errors.push(`policy: ${violatedDirective} ${blockedURI}`);
});
for (const kind of ["error", "warn"]) {
  const before = console[kind];
  console[kind] = (...words) => {
    errors.push(words.join(" "));
    before(...words);
  };
}

const by = (id) => document.getElementById(id);
const sleep = (time) => new Promise((done) => setTimeout(done, time));

async function until(...names) {
  for (let i = 0; i < 1000; i += 1) {
    if (names.includes(document.documentElement.dataset.state)) return;
    await sleep(20);
  }
  throw new Error(`the page is "${document.documentElement.dataset.state}": ${by("status").textContent}`);
}

async function run() {
  by("run").click();
  await until("done");
}

function type(words) {
  const text = by("text");
  text.focus();
  text.select();
  document.execCommand("insertText", false, words);
}

function key() {
  const press = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
  by("text").dispatchEvent(new KeyboardEvent("keydown", press));
}

/** Relative luminance, as WCAG 2 defines it. */
function luminance([red, green, blue]) {
  const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function numbersOf(colour) {
  return colour.match(/[\d.]+/g).map(Number);
}

/** The colour behind an element. */
function behind(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = numbersOf(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour.slice(0, 3);
  }
  return [255, 255, 255];
}

function contrast(element) {
  const [one, other] = [numbersOf(getComputedStyle(element).color), behind(element)].map((c) => luminance(c));
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const box = (rect) => ({ left: rect.left, top: rect.top, width: rect.width });

const SCENARIOS = {
  async results() {
    await run();
    return {
      status: by("status").textContent, answer: by("answer").textContent,
      marks: by("marks").childElementCount, options: by("example").options.length,
    };
  },

  async race() {
    await run();
    const marked = [...by("marks").children].map((piece) => [piece.dataset.line, piece.className]);
    const numbers = [...by("numbers").children].filter((n) => n.className !== "").map((n) => n.textContent);
    const answer = by("answer").textContent;
    const mark = box(by("marks").querySelector(".m-error").getBoundingClientRect());
    // The letters `t[i - 1]` on the screen, across the elements that colour them.
    const walker = document.createTreeWalker(by("colours"), NodeFilter.SHOW_TEXT);
    const at = by("text").value.indexOf("t[i - 1]");
    const range = document.createRange();
    for (let from = 0; walker.nextNode(); from += walker.currentNode.length) {
      const { currentNode: node } = walker;
      if (at >= from && at < from + node.length) range.setStart(node, at - from);
      if (at + 8 > from && at + 8 <= from + node.length) range.setEnd(node, at + 8 - from);
    }
    const letters = box(range.getBoundingClientRect());
    by("answer").querySelector(".place").click();
    const { selectionStart, selectionEnd, value } = by("text");
    const [selected, focus] = [value.slice(selectionStart, selectionEnd), document.activeElement.id];
    type("kernel");
    const after = [by("marks").childElementCount, by("answer").classList.contains("stale")];
    return { marked, numbers, answer, mark, letters, selected, focus, after };
  },

  async typed() {
    type("//! domain 1\nkernel f(out: view<i32, 1 read_write>) rank(1) { }\n");
    key();
    await until("done");
    return { status: by("status").textContent, answer: by("answer").textContent, example: by("example").value };
  },

  async suggested() {
    document.querySelector("input[value=wgsl]").click();
    type("@group(0) @binding(0) var<storage, read_write> v: array<f32>;\n@compute @workgroup_size(64)\n" +
      "fn main(@builtin(local_invocation_index) i: u32) { v[i] = 2.0; }\n");
    await run();
    const before = by("status").textContent;
    by("insert").click();
    await until("done");
    return { before, text: by("text").value, status: by("status").textContent };
  },

  async stopped() {
    type("//! domain 1024\n//! v: [1024] = zero\nkernel f(v: view<i32, 1, read_write>) rank(1) {\n" +
      "    while v[0] >= 0 { v[global[0]] = (v[global[0]] + 1) & 7; }\n}\n");
    by("run").click();
    await until("running");
    const isShown = !by("stop").hidden;
    by("stop").click();
    const status = by("status").textContent;
    by("example").value = "memory/vector_add.kir";
    by("example").dispatchEvent(new Event("change"));
    await until("running");
    await until("done");
    return { isShown, status, next: by("status").textContent };
  },

  async themes() {
    await run();
    const all = [...document.querySelectorAll("body *")].filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "") &&
      element.getClientRects().length > 0 && !element.closest(".hidden, .skip, select, textarea, script"));
    const faint = all.filter((element) => contrast(element) < 4.5);
    return {
      theme: document.documentElement.dataset.theme,
      isDark: luminance(numbersOf(getComputedStyle(document.body).backgroundColor)) < 0.2,
      measured: all.length,
      faint: faint.map((e) => `${e.tagName}.${e.className} "${e.textContent.slice(0, 30)}" ${contrast(e).toFixed(2)}`),
    };
  },

  async phone() {
    await run();
    return { width: innerWidth, needs: document.documentElement.scrollWidth };
  },

  async names() {
    await run();
    const controls = [...document.querySelectorAll("button, select, textarea, input, a, [tabindex='0']")];
    const label = (element) => element.getAttribute("aria-label") || element.labels?.[0]?.textContent.trim();
    const name = (element) => label(element) || element.textContent.trim();
    const nameless = controls.filter((element) => !name(element)).map((element) => element.outerHTML.slice(0, 80));
    return { controls: controls.length, nameless };
  },

  async trap() {
    await run();
    const status = by("status").textContent;
    await run();
    return { status, next: by("status").textContent };
  },
};

addEventListener("load", async () => {
  let found;
  try {
    await until("idle", "broken");
    found = { value: await SCENARIOS[scenario](), errors };
  } catch (error) {
    found = { failure: `${error.message}; errors: ${errors.join("; ")}`, errors };
  }
  await fetch("found", { method: "POST", body: JSON.stringify(found) });
});
}
