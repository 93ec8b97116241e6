// The page: opens programs, and joins the editor, the forms, the runs and the walks.
// It shows what the server sends and holds no logic about languages.

import { at, button, make, say, tabs } from "./dom.js";
import { makeEditor } from "./editor.js";
import { makeRuns } from "./runs.js";
import { ask } from "./server.js";
import { makeSettings } from "./settings.js";
import { makeTree } from "./tree.js";
import { makeWalk } from "./walk.js";

/** After so many milliseconds without a key the text is looked through. */
const PAUSE = 400;

const start = await ask("GET", "/api/start");
const nonce = document.querySelector("meta[name=nonce]").content;
const editor = makeEditor(at("editor"), nonce, textChanged);
/** The open program: owner, path, the saved text, and whether it cannot be changed. */
let open = null;
let edited = false;
/** The program that is being opened, if one is: the panels wait for it. */
let opening = null;

const choosePart = tabs(document.querySelector(".parts"), (tab) => { document.body.dataset.part = tab.dataset.part; });
const chooseTab = tabs(document.querySelector(".tabs"), (tab) => {
  for (const panel of document.querySelectorAll("[role=tabpanel]")) panel.hidden = panel.id !== tab.getAttribute("aria-controls");
  if (!opening) fill(tab);
});
document.body.dataset.part = "source";

/** Shows what a tab has to say of the open program. */
function fill(tab) {
  if (tab.id === "tab-tree" && open) tree.show(named(open), settings.walked());
  if (tab.id === "tab-walk" && open && !walk.now()) walk.go(named(open), settings.walked(), []);
}

/** Shows one of the panels on the right. */
function show(name) {
  chooseTab(at(`tab-${name}`), false);
  choosePart(document.querySelector(".parts [data-part=work]"), false);
}

const trouble = make("p", { class: "trouble", role: "alert" });
at("work").prepend(trouble);
function complain(text) {
  trouble.replaceChildren(text, text ? button("Close", () => complain(""), { class: "quiet" }) : "");
}

/** A program as the server names it. */
const named = ({ owner, path }) => ({ owner, path });
/** The same with its text, if that was edited and not saved. */
function sent(program) {
  const here = open && program.owner === open.owner && program.path === open.path;
  return here && edited ? { ...named(program), text: editor.text() } : named(program);
}

const settings = makeSettings(at("panel-run"), start, {
  program: () => open && named(open),
  asked: () => sent(open),
  begun: (run) => runs.open(run.number),
});
const list = make("ul", { class: "runs", id: "runs" });
at("panel-run").append(make("h3", {}, "Runs"), list, make("h3", {}, "Settings"), settings.flags);

const walk = makeWalk(at("panel-walk"), {
  sent, mark, address, trouble: complain,
  isEdited: (program) => edited && open.owner === program.owner && open.path === program.path,
});
const tree = makeTree(at("panel-tree"), {
  sent,
  walk: (program, wishes, choices) => {
    show("walk");
    walk.go(program, wishes, choices);
  },
});
const runs = makeRuns(list, at("panel-result"), {
  show,
  trouble: complain,
  async walk(program, wishes, schedule, steps) {
    await look(program);
    show("walk");
    walk.go(program, wishes, schedule.steps.slice(0, steps), schedule.inputs, schedule.steps.slice(steps));
  },
  async tree(program, wishes) {
    await look(program);
    show("tree");
    tree.show(program, wishes);
  },
  async go(program, file, line) {
    await look(program, file);
    editor.mark([{ line, kind: "now" }]);
    choosePart(document.querySelector(".parts [data-part=source]"), false);
  },
  async cover(program, covered) {
    await look(program, covered.file);
    const lines = covered.missed.map((line) => [line, false]).concat(covered.executed.map((line) => [line, true]));
    editor.cover(new Map(lines));
    choosePart(document.querySelector(".parts [data-part=source]"), false);
  },
});

/** Opens what a run or a walk speaks of, unless the same text is there already. */
async function look(program, file) {
  const wanted = { ...program };
  if (wanted.owner === "file" && file && start.files.includes(file)) wanted.path = file;
  if (open && open.owner === wanted.owner && open.path === wanted.path) return;
  if (wanted.owner === "run") {
    const source = await ask("GET", `/api/source?${new URLSearchParams(named(wanted))}`);
    if (open && editor.text() === source.text) return;
  }
  await openProgram(wanted, false);
}

/** Marks the lines of the open file that a step speaks of. */
function mark(lines) {
  const path = open?.path ?? "";
  const own = lines.filter(({ file }) => open?.owner === "run" || file === path || file.split("/").pop() === path.split("/").pop());
  editor.mark(own);
}

/** Puts a state into the address. */
function address(program, wishes, choices, inputs, ahead) {
  const parts = new URLSearchParams({ program: `${program.owner}:${program.path}`, choices: choices.join(",") });
  if (inputs.length > 0) parts.set("inputs", JSON.stringify(inputs));
  if (ahead.length > 0) parts.set("ahead", ahead.join(","));
  if (Object.keys(wishes.flags ?? {}).length > 0 || (wishes.words ?? []).length > 0) parts.set("wishes", JSON.stringify(wishes));
  const hash = `#${parts}`;
  if (location.hash !== hash) history.pushState(null, "", hash);
}

/** Opens what the address names. */
async function restore() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [owner, path] = /^(file|example|run):(.+)$/s.exec(parts.get("program") ?? "")?.slice(1) ?? [];
  if (!path) return false;
  try {
    if (!open || open.owner !== owner || open.path !== path) await openProgram({ owner, path }, false);
    if (parts.has("choices")) {
      const split = (text) => (text ? text.split(",") : []);
      show("walk");
      await walk.go({ owner, path }, JSON.parse(parts.get("wishes") ?? "{}"), split(parts.get("choices")),
        JSON.parse(parts.get("inputs") ?? "[]"), split(parts.get("ahead")));
    }
    return true;
  } catch (error) {
    complain(error.message);
    return false;
  }
}
window.addEventListener("popstate", restore);
window.addEventListener("hashchange", restore);

/** Opens a program in the editor. What was shown of another goes at once, so that nothing chosen meanwhile is undone. */
async function openProgram(program, named = true) {
  if (edited && !window.confirm("Leave the changes that were not saved?")) return;
  opening = program;
  if (named) {
    address_of_program(program);
    walk.forget();
    chooseTab(at("tab-run"), false);
    choosePart(document.querySelector(".parts [data-part=source]"), false);
  }
  try {
    const source = await ask("GET", `/api/source?${new URLSearchParams({ owner: program.owner, path: program.path })}`);
    const path = program.owner === "run" ? (await ask("GET", `/api/runs/${program.path}`)).program.path : program.path;
    if (opening === program) edit(program, source, path);
  } finally {
    if (opening === program) opening = null;
  }
  const chosen = document.querySelector(".tabs [aria-selected=true]");
  if (named && !opening && chosen.id !== "tab-run") fill(chosen);
}

/** Puts the text of a program into the editor. */
function edit(program, source, path) {
  const language = start.languages.find((known) => known.words.extensions.some((ending) => path.endsWith(`.${ending}`)));
  open = { ...program, saved: source.text, fixed: source.read_only && program.owner === "run", language };
  edited = false;
  // An example can be changed in the page, only not saved.
  editor.open(source.text, language?.words, open.fixed);
  showName();
  settings.forget();
  settings.offer(language?.commands ?? ["check"]);
  at("save").hidden = program.owner !== "file";
  for (const row of document.querySelectorAll("#examples button, #list button")) {
    row.toggleAttribute("aria-current", row.dataset.path === program.path && row.dataset.owner === program.owner);
  }
  lookThrough();
}

function address_of_program(program) {
  const hash = `#${new URLSearchParams({ program: `${program.owner}:${program.path}` })}`;
  if (location.hash !== hash) history.pushState(null, "", hash);
}

function showName() {
  const kind = { example: " (example)", run: " (as it was in a run)", file: "" }[open.owner];
  const path = open.owner === "run" ? `run ${open.path}` : open.path;
  at("name").textContent = `${path}${kind}${edited ? " · edited" : ""}`;
  document.title = `${path} · Counterpoint`;
  at("save").disabled = !edited;
}

let pause;
function textChanged() {
  edited = editor.text() !== open?.saved;
  showName();
  editor.mark([]);
  clearTimeout(pause);
  pause = setTimeout(lookThrough, PAUSE);
}

let looks = 0;
/** Asks what is declared and what is wrong, and shows it. */
async function lookThrough() {
  const number = ++looks;
  try {
    const outline = await ask("POST", "/api/outline", sent(open));
    if (number !== looks) return;
    const own = outline.messages.filter(({ file }) => open.owner === "run" || file.split("/").pop() === open.path.split("/").pop());
    editor.complain(own);
    at("messages").replaceChildren(...outline.messages.slice(0, 50).map((message) => make("li", { class: message.severity },
      button(`${message.file.split("/").pop()}:${message.line}`, () => editor.go(message.line), { class: "link" }),
      make("span", {}, ` ${message.severity}: ${message.text}`))));
    // While there are errors, a front end may not know what is declared: what was known stays.
    if (outline.items.length > 0 || outline.messages.length === 0) {
      at("outline").replaceChildren(...outline.items.map(showItem));
    }
  } catch (error) {
    if (number === looks) at("messages").replaceChildren(make("li", { class: "error" }, error.message));
  }
}

function showItem(item) {
  const label = button(item.name, () => editor.go(item.line), { class: "link", title: item.kind });
  const pick = item.method && make("input", {
    type: "checkbox", checked: settings.isPicked(item.method), "aria-label": `Generate tests for ${item.method}`,
    title: "Generate tests for it", "data-method": item.method,
    on: { change: (event) => settings.pick(item.method, event.target.checked) },
  });
  return make("li", {}, make("span", { class: "kind" }, item.kind), pick, label,
    item.items ? make("ul", {}, item.items.map(showItem)) : "");
}

function fileRow(owner, path, label) {
  return make("li", {}, button(label, () => openProgram({ owner, path }).catch((error) => complain(error.message)), {
    class: "link", "data-owner": owner, "data-path": path, title: path,
  }));
}
at("examples").append(...start.examples.map((path) => fileRow("example", path, path.replace("examples/", ""))));
at("list").append(...start.files.map((path) => fileRow("file", path, path)));
if (start.files.length === 0) at("list").append(make("li", { class: "about" }, `None in ${start.folder}.`));

async function save() {
  if (!open || open.owner !== "file") return;
  try {
    const text = editor.text();
    await ask("PUT", "/api/source", { ...named(open), text });
    open.saved = text;
    edited = editor.text() !== text;
    showName();
    say("saved");
  } catch (error) {
    complain(error.message);
  }
}
at("save").addEventListener("click", save);

/** Saves the text under a path of its own, as one does with an example. */
async function saveAs() {
  const name = open.owner === "run" ? "" : open.path.split("/").pop();
  const path = window.prompt(`Save as, below ${start.folder}`, name)?.trim();
  if (!path) return;
  if (start.files.includes(path) && !window.confirm(`Replace ${path}?`)) return;
  try {
    await ask("PUT", "/api/source", { owner: "file", path, text: editor.text() });
    if (!start.files.includes(path)) {
      start.files.push(path);
      if (start.files.length === 1) at("list").replaceChildren();
      at("list").append(fileRow("file", path, path));
    }
    edited = false;
    await openProgram({ owner: "file", path });
  } catch (error) {
    complain(error.message);
  }
}
at("save-as").addEventListener("click", saveAs);
window.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    save();
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    event.preventDefault();
    at("run").click();
  }
});
window.addEventListener("beforeunload", (event) => {
  if (edited && open?.owner === "file") event.preventDefault();
});

/** Light or dark: as the system says, until somebody chooses. */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  at("theme").textContent = theme === "dark" ? "Light" : "Dark";
  at("theme").setAttribute("aria-label", `Use ${theme === "dark" ? "light" : "dark"} colours`);
}
const system = window.matchMedia("(prefers-color-scheme: dark)");
const chosen = localStorage.getItem("theme");
setTheme(chosen ?? (system.matches ? "dark" : "light"));
system.addEventListener("change", () => localStorage.getItem("theme") ?? setTheme(system.matches ? "dark" : "light"));
at("theme").addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", theme);
  setTheme(theme);
});

if (!(await restore())) {
  const first = start.files.length === 1 ? { owner: "file", path: start.files[0] } : { owner: "example", path: start.examples[0] };
  await openProgram(first, false);
}
document.body.dataset.ready = "yes";
