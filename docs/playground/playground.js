// The page of the playground: editor, examples, results. The work is done in worker.js.
"use strict";

const by = (id) => document.getElementById(id);
const [text, numbers, marks, colours] = ["text", "numbers", "marks", "colours"].map(by);
const [picker, runButton, stopButton, status, answerPlace] = ["example", "run", "stop", "status", "answer"].map(by);
const options = new URLSearchParams(location.search);

/** An element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => ![undefined, null, false].includes(child)));
  return element;
}

/** What a script outside waits for: loading, idle, running, done or broken. */
function state(name) {
  document.documentElement.dataset.state = name;
}

// ---- Theme

const theme = by("theme");
function setTheme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  theme.value = name;
}
function storedTheme() {
  try {
    return localStorage.getItem("tilewise-theme");
  } catch {
    return null; // Storage may be forbidden; then the choice lasts as long as the page.
  }
}
theme.addEventListener("change", () => {
  setTheme(theme.value);
  try {
    localStorage.setItem("tilewise-theme", theme.value);
  } catch {
    // See above.
  }
});
const wanted = options.get("theme") ?? storedTheme();
setTheme(["light", "dark"].includes(wanted) ? wanted : "auto");

// ---- Editor

const KEYWORDS = {
  kir: "abort as barrier break case const continue continuing default else error fence fn if in kernel let loop " +
    "print project rank read read_write reinterpret return section struct switch tile tile_static var view view_as " +
    "while write buffer true false zero",
  wgsl: "alias break case const const_assert continue continuing default diagnostic discard else enable false fn for " +
    "function if let loop override private read read_write requires return storage struct switch true uniform var " +
    "while workgroup write",
};
const TYPES = "bool|[iuf](?:8|16|32|64)(?:x[234])?|vec[234](?:<[^>]*>|[iufh])?|mat[234]x[234][fh]?|array|atomic|ptr|" +
  "sampler|texture_\\w+";
const TOKENS = Object.fromEntries(Object.entries(KEYWORDS).map(([language, words]) => [language, new RegExp(
  `(?<header>^[ \\t]*//!.*)|(?<comment>//.*)|(?<string>"(?:[^"\\\\\\n]|\\\\.)*")|(?<attribute>@\\w+)|` +
  `(?<number>\\b(?:0x[\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)[iufh]?\\b)|` +
  `(?<type>\\b(?:${TYPES})\\b)|(?<keyword>\\b(?:${words.split(" ").join("|")})\\b)`, "gm")]));

function language() {
  return document.querySelector("input[name=language]:checked").value;
}

function setLanguage(name) {
  document.querySelector(`input[name=language][value=${name}]`).checked = true;
}

/** Paints the text and its line numbers. */
function paint() {
  const source = text.value;
  const parts = [];
  let end = 0;
  for (const found of source.matchAll(TOKENS[language()])) {
    const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
    parts.push(source.slice(end, found.index), make("span", { class: `t-${kind}` }, found[0]));
    end = found.index + found[0].length;
  }
  // A line feed at the end of `pre` makes no line of its own.
  colours.replaceChildren(...parts, source.slice(end), "\n");
  const count = source.split("\n").length;
  if (numbers.childElementCount !== count) {
    numbers.replaceChildren(...Array.from({ length: count }, (_, i) => make("span", {}, String(i + 1))));
  }
  scrolled();
}

function scrolled() {
  const move = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
  colours.style.transform = move;
  marks.style.transform = move;
  numbers.style.transform = `translateY(${-text.scrollTop}px)`;
}

function lineHeight() {
  return parseFloat(getComputedStyle(text).lineHeight);
}

/** The column of a character on the screen, where a tab fills up to a multiple of four. */
function screenColumn(line, column) {
  let at = 0;
  for (const character of [...line].slice(0, column)) at += character === "\t" ? 4 - (at % 4) : 1;
  return at;
}

function clearMarks() {
  marks.replaceChildren();
  for (const number of numbers.children) number.removeAttribute("class");
}

/** Marks the pieces of the text that messages are about. */
function mark(messages) {
  clearMarks();
  const lines = text.value.split("\n");
  const pieces = messages.flatMap((message) => {
    const labels = message.labels.length > 0 ? message.labels : [{ ...message, primary: true }];
    return labels.map((label) => ({ ...label, kind: label.primary ? message.severity : "other" }));
  });
  // Short pieces lie above long ones, and those at fault above others.
  pieces.sort((one, other) => other.length - one.length || one.primary - other.primary);
  for (const { line, column, length, kind } of pieces) {
    if (line < 1 || line > lines.length) continue;
    const from = screenColumn(lines[line - 1], column - 1);
    const to = screenColumn(lines[line - 1], Math.min(column - 1 + length, [...lines[line - 1]].length));
    const piece = make("i", { class: `m-${kind}`, "data-line": line });
    piece.style.setProperty("--line", line - 1);
    piece.style.setProperty("--from", from);
    piece.style.setProperty("--size", Math.max(to - from, 1));
    marks.append(piece);
    const number = numbers.children[line - 1];
    if (!number.classList.contains("m-error")) number.className = `m-${kind}`;
  }
}

/** Scrolls the text, if none of its marks are to be seen. */
function showMarks() {
  const tops = [...marks.children].map((piece) => (piece.dataset.line - 1) * lineHeight());
  const isSeen = (top) => top >= text.scrollTop && top + lineHeight() <= text.scrollTop + text.clientHeight;
  if (tops.length === 0 || tops.some(isSeen)) return;
  text.scrollTop = Math.min(...tops) - text.clientHeight / 3;
  scrolled();
}

/** Selects a piece of the text and shows its line. */
function jump({ line, column, length }) {
  const lines = text.value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, other) => sum + other.length + 1, 0);
  // Columns count characters, and a text's indices UTF-16.
  const units = (count) => [...(lines[line - 1] ?? "")].slice(0, count).join("").length;
  text.focus({ preventScroll: true });
  text.setSelectionRange(before + units(column - 1), before + units(column - 1 + length));
  text.scrollTop = (line - 1) * lineHeight() - text.clientHeight / 2;
  text.scrollLeft = 0;
  document.querySelector(".editor").scrollIntoView({ block: "nearest" });
  scrolled();
}

text.addEventListener("scroll", scrolled);
text.addEventListener("input", (event) => {
  // What is pasted says itself what it is.
  if (event.inputType === "insertFromPaste") {
    if (/@compute\b/.test(text.value)) setLanguage("wgsl");
    else if (/^\s*kernel\b/m.test(text.value)) setLanguage("kir");
  }
  paint();
  clearMarks();
  picker.value = "";
  if (answerPlace.childElementCount > 0) answerPlace.classList.add("stale");
});
for (const radio of document.querySelectorAll("input[name=language]")) radio.addEventListener("change", paint);

// ---- Results

function place({ line, column, length }, words) {
  const name = words ?? `line ${line}`;
  return make("button", {
    type: "button", class: "place", "aria-label": `${name}: show line ${line} in the text`,
    onclick: () => jump({ line, column, length }),
  }, name);
}

/** Text whose pieces between backquotes are code. */
function prose(words) {
  return words.split("`").map((piece, i) => (i % 2 === 1 ? make("code", {}, piece) : piece));
}

function messageItem(message) {
  const others = message.labels.filter((label) => label.text !== "" || !label.primary);
  const isLabelled = others.some(({ line, column }) => line === message.line && column === message.column);
  return make("li", { class: `message ${message.severity}` },
    make("p", { class: "head" },
      make("span", { class: "kind" }, message.code === "" ? message.severity : `${message.severity} ${message.code}`),
      " ", ...prose(message.message), " ", message.line > 0 && !isLabelled && place(message)),
    others.length > 0 && make("ul", { class: "labels" }, ...others.map((label) =>
      make("li", {}, place(label), " ", ...prose(label.text)))),
    ...message.notes.map((note) => make("p", { class: "note" }, ...prose(note))),
    ...message.help.map((help) => make("p", { class: "note" }, make("b", {}, "help "), ...prose(help))),
    make("details", {}, make("summary", {}, "As the program prints it"), make("pre", {}, message.rendered)));
}

function messageList(messages, more) {
  if (messages.length === 0) return undefined;
  return make("ul", { class: "messages" }, ...messages.map(messageItem),
    more > 0 && make("li", { class: "note" }, `${more} findings more`));
}

/** The elements of a row in a line of a table. */
const COLUMNS = 8;

function cell(result, index) {
  const wrong = result.wrong.find((other) => other.index === index);
  const kind = wrong ? "wrong" : result.changed.includes(index) ? "changed" : undefined;
  const value = result.values[index];
  return make("td", { class: kind }, value, wrong && make("small", {}, `expected ${wrong.expected}`));
}

/** Rows of a table: of a row of the result, or of a piece of it. */
function rows(result) {
  const { shape, values } = result;
  const width = shape.at(-1) ?? values.length;
  const step = shape.length === 1 ? COLUMNS : Math.max(width, 1);
  const out = [];
  for (let from = 0; from < values.length; from += step) {
    const cells = [];
    for (let i = from; i < Math.min(from + step, values.length); i += 1) cells.push(cell(result, i));
    let name = String(from);
    if (shape.length > 1) {
      let rest = from / step;
      const index = [];
      for (const size of shape.slice(0, -1).reverse()) {
        index.unshift(rest % size);
        rest = Math.floor(rest / size);
      }
      name = index.join(", ");
    }
    out.push(make("tr", {}, make("th", { scope: "row" }, name), ...cells));
  }
  return out;
}

function resultTable(result) {
  const { name, shape, values, more, expected, wrong, changed_count: changed, wrong_count: different } = result;
  const facts = [`[${shape.join(", ")}]`];
  if (result.writable) facts.push(changed === 0 ? "unchanged" : `${changed} changed`);
  if (expected) facts.push(different === 0 ? "as expected" : `${different} not as expected`);
  const title = [make("b", {}, name), " ", make("span", {}, facts.join(" · "))];
  const beyond = wrong.filter(({ index }) => index >= values.length).slice(0, 10)
    .map(({ index, expected: value }) => `element ${index} is not as expected: ${value}`);
  const columns = shape.length === 1 ? Math.min(COLUMNS, values.length) : shape.at(-1);
  const sign = shape.length === 1 ? "+" : "";
  const heads = Array.from({ length: columns }, (_, i) => make("th", { scope: "col" }, sign + i));
  const table = make("table", {},
    make("caption", {}, ...title),
    values.length > 0 && make("thead", {}, make("tr", {}, make("td", {}), ...heads)),
    make("tbody", {}, ...rows(result)),
    more > 0 && make("tfoot", {}, ...[`and ${more} more`, ...beyond].map((line) =>
      make("tr", {}, make("td", { colspan: columns + 1 }, line)))));
  // A wide table scrolls, which the keyboard must reach.
  return make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": `${name} after the run` }, table);
}

function printed(run) {
  if (run.printed.length === 0) return undefined;
  const lines = run.printed.map((line) => make("tr", {},
    make("th", { scope: "row" }, String(line.thread)), make("td", {}, line.text)));
  return make("div", { class: "wide printed", tabindex: 0, role: "group", "aria-label": "Printed lines" },
    make("table", {}, make("caption", {}, make("b", {}, "Printed")),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "thread"), make("th", { scope: "col" }, "line"))),
      make("tbody", {}, ...lines),
      run.lost > 0 && make("tfoot", {}, make("tr", {}, make("td", { colspan: 2 }, `${run.lost} bytes more`)))));
}

function runPart(run) {
  const written = run.results.filter((result) => result.writable);
  const inputs = run.results.filter((result) => !result.writable);
  return make("article", { class: "run" },
    run.name && make("h2", {}, `run ${run.name}`),
    run.name && make("p", { class: "summary" }, ...prose(run.summary)),
    messageList(run.reports, run.more_reports),
    printed(run),
    ...written.map(resultTable),
    inputs.length > 0 &&
      make("details", { class: "inputs" }, make("summary", {}, "Inputs"), ...inputs.map(resultTable)));
}

/** Header lines for a text without any, and a button that inserts them. */
function suggested(lines) {
  const insert = () => {
    text.value = lines + text.value;
    text.dispatchEvent(new Event("input"));
    run();
  };
  return make("div", { class: "suggestion" },
    make("p", {}, "Lines such as these launch it:"),
    make("pre", {}, lines),
    make("button", { type: "button", class: "place", id: "insert", onclick: insert }, "Insert them and run"));
}

const GOOD = ["clean"];
const FAIR = ["reported", "out-of-fuel", "stopped", "unlaunched"];

function say(kind, ...words) {
  status.className = `status ${kind}`;
  status.replaceChildren(...words);
}

function show(answer, time) {
  const { outcome, diagnostics, runs, suggestion } = answer;
  const kind = GOOD.includes(outcome) ? "good" : FAIR.includes(outcome) ? "fair" : "bad";
  let summary;
  if (outcome === "rejected") {
    const errors = diagnostics.filter((message) => message.severity === "error").length;
    summary = `not run: ${errors} ${errors === 1 ? "error" : "errors"}`;
  } else if (outcome === "unlaunched") {
    summary = "without errors, and not run: the text does not say how to launch it";
  } else if (runs.length === 1) {
    summary = runs[0].summary;
  } else {
    const clean = runs.filter((run) => run.outcome === "clean").length;
    summary = `${clean} of ${runs.length} runs completed without reports`;
  }
  const instructions = runs.reduce((sum, run) => sum + run.instructions, 0);
  const cost = instructions > 0 ? `${instructions.toLocaleString("en")} instructions, ` : "";
  say(kind, make("span", {}, ...prose(summary)), " ", make("small", {}, `${cost}${Math.round(time)} ms`));
  const parts = [messageList(diagnostics, 0), suggestion !== null && suggested(suggestion), ...runs.map(runPart)];
  answerPlace.replaceChildren(...parts.filter(Boolean));
  answerPlace.classList.remove("stale");
  mark([...diagnostics, ...runs.flatMap((run) => run.reports)]);
  showMarks();
  state("done");
}

// ---- Work

let worker;
let latest = 0;

function busy(is) {
  stopButton.hidden = !is;
  runButton.disabled = is;
}

function start() {
  worker?.terminate();
  worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => {
    if (data.id !== undefined && data.id !== latest) return;
    busy(false);
    if (data.kind === "answer") show(data.answer, data.time);
    else if (data.kind === "trap") {
      answerPlace.replaceChildren();
      say("bad", data.message, " ", make("small", {}, "The next run begins anew."));
      state("done");
    } else if (data.kind === "ready") loaded(data.examples);
    else broken(data.message);
  };
  worker.onerror = (event) => broken(event.message || "worker.js cannot be loaded");
}

function broken(message) {
  busy(false);
  say("bad", `The playground cannot be loaded: ${message}. `, make("small", {},
    location.protocol === "file:" ? "Browsers load WebAssembly from a server only: see playground.md."
      : "It is built by playground/build."));
  state("broken");
}

function run() {
  if (runButton.disabled) return;
  latest += 1;
  busy(true);
  say("", "Running");
  state("running");
  worker.postMessage({ kind: "run", id: latest, language: language(), text: text.value });
}

function stop() {
  latest += 1;
  busy(false);
  start();
  say("fair", "Stopped");
  state("done");
}

let examples = [];

function choose(path) {
  const example = examples.find((other) => other.path === path);
  if (example === undefined) return;
  picker.value = path;
  setLanguage(path.endsWith(".wgsl") ? "wgsl" : "kir");
  text.value = example.text;
  text.scrollTop = 0;
  text.scrollLeft = 0;
  paint();
  clearMarks();
  answerPlace.replaceChildren();
  answerPlace.classList.remove("stale");
  say("", "Press Run");
}

function loaded(list) {
  // A worker that replaces a stopped one has the same examples.
  if (examples.length > 0) return;
  examples = list;
  const choices = examples.map((example) => make("option", { value: example.path }, example.title));
  picker.replaceChildren(make("option", { value: "" }, "own text"), ...choices);
  picker.disabled = false;
  state("idle");
  const wanted = examples.find((example) => example.path === options.get("example"));
  // A browser that goes back to the page fills in the text that was there.
  if (text.value === "" || wanted) choose((wanted ?? examples[0]).path);
  else say("", "Press Run");
  if (options.has("run")) run();
}

picker.addEventListener("change", () => {
  choose(picker.value);
  run();
});
by("form").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
stopButton.addEventListener("click", stop);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  run();
});

state("loading");
paint();
start();
worker.postMessage({ kind: "load" });
