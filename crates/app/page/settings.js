// The form of a command: made from what the command line says about its own flags.

import { at, button, make, say } from "./dom.js";
import { ask } from "./server.js";

/** The flags under a heading that is open from the beginning. */
const FIRST = "What to explore";

/** Makes the form. `context` gives the program and starts runs. */
export function makeSettings(panel, start, context) {
  const wishes = new Map();
  let command = start.commands[0].name;
  const choice = make("div", { class: "commands", role: "radiogroup", "aria-label": "Command" });
  const about = make("p", { class: "about" });
  const words = make("input", { id: "words", type: "text", spellcheck: "false", on: { input: changed } });
  const flags = make("div", { class: "flags" });
  const line = make("code", { id: "line", tabindex: "0" });
  const trouble = make("p", { id: "line-error", class: "trouble", role: "alert" });
  const run = button("Run", () => begin(), { id: "run", class: "main" });
  const copy = button("Copy", () => navigator.clipboard?.writeText(line.textContent).then(() => say("copied")));
  const methods = make("p", { id: "methods", class: "about" });
  panel.append(
    choice, about, methods,
    make("div", { class: "field" }, make("label", { for: "words" }, "Words after the program"), words),
    make("div", { class: "line" }, make("span", { class: "label" }, "The same in a terminal"), line, copy),
    trouble,
    make("p", {}, run),
  );

  /** The values of the present command. */
  function values() {
    if (!wishes.has(command)) wishes.set(command, {});
    return wishes.get(command);
  }

  function wish() {
    const asked = {};
    for (const [name, value] of Object.entries(values())) {
      if (value !== "" && value !== false && !(Array.isArray(value) && value.length === 0)) asked[name] = value;
    }
    return { flags: asked, words: split(words.value) };
  }

  let timer;
  function changed() {
    clearTimeout(timer);
    timer = setTimeout(showLine, 120);
  }

  let asked = 0;
  async function showLine() {
    const program = context.program();
    if (!program) return;
    const number = ++asked;
    try {
      const answer = await ask("POST", "/api/line", {
        command, program: { owner: program.owner, path: program.path }, wishes: wish(),
      });
      if (number !== asked) return;
      line.textContent = answer.line ?? "";
      trouble.textContent = answer.error ?? "";
      run.disabled = answer.line === undefined;
    } catch (error) {
      if (number !== asked) return;
      trouble.textContent = error.message;
      run.disabled = true;
    }
  }

  async function begin() {
    run.disabled = true;
    try {
      const made = await ask("POST", "/api/runs", { command, program: context.asked(), wishes: wish() });
      trouble.textContent = "";
      context.begun(made);
    } catch (error) {
      trouble.textContent = error.message;
    }
    run.disabled = false;
  }

  /** Offers the commands that make sense for the program. */
  function offer(names) {
    if (!names.includes(command)) command = names[0];
    choice.replaceChildren(...start.commands.filter((form) => names.includes(form.name)).map((form) => {
      const input = make("input", {
        type: "radio", name: "command", value: form.name, checked: form.name === command,
        on: { change: () => { command = form.name; show(); } },
      });
      return make("label", { title: form.about }, input, form.name);
    }));
    show();
  }

  function show() {
    const form = start.commands.find((known) => known.name === command);
    about.textContent = form.about;
    methods.hidden = command !== "generate";
    const groups = new Map();
    for (const flag of form.flags) {
      if (!groups.has(flag.group)) groups.set(flag.group, []);
      groups.get(flag.group).push(flag);
    }
    flags.replaceChildren(...[...groups].map(([name, group]) => {
      const set = group.some((flag) => flag.name in values());
      return make("details", { open: name === FIRST || set },
        make("summary", {}, name), group.map(field));
    }));
    showMethods();
    changed();
  }

  /** What is chosen with a flag, in the words of `counterpoint list`. */
  function explanation(flag, value) {
    const table = { explorer: start.explorers, reduction: start.reductions }[flag.name];
    const known = table?.find((entry) => entry.name === value)?.about;
    return known ?? flag.choices.find(([name]) => name === value)?.[1] ?? "";
  }

  function field(flag) {
    const id = `flag-${flag.name}`;
    const own = values();
    const set = (value) => {
      own[flag.name] = value;
      changed();
    };
    const help = make("p", { class: "help", id: `${id}-help` }, flag.help);
    const label = make("label", { for: id }, `--${flag.name}`);
    if (flag.value === null) {
      const box = make("input", {
        type: "checkbox", id, "aria-describedby": help.id, checked: own[flag.name] === true,
        on: { change: (event) => set(event.target.checked) },
      });
      return make("div", { class: "field switch" }, box, label, help);
    }
    let choices = flag.choices;
    if (flag.name === "reduction" && choices.length === 0) choices = start.reductions.map(({ name }) => [name, ""]);
    if (choices.length > 0 && !flag.repeatable) {
      const detail = make("p", { class: "help" }, explanation(flag, own[flag.name]));
      const select = make("select", {
        id, "aria-describedby": help.id,
        on: { change: (event) => { set(event.target.value); detail.textContent = explanation(flag, event.target.value); } },
      }, make("option", { value: "" }, flag.default ? `default: ${flag.default}` : "default"),
      choices.map(([name]) => make("option", { value: name, selected: own[flag.name] === name }, name)));
      return make("div", { class: "field" }, label, select, help, detail);
    }
    const several = flag.repeatable;
    const present = several ? (own[flag.name] ?? []).join(" ") : own[flag.name] ?? "";
    const input = make("input", {
      type: "text", id, "aria-describedby": help.id, spellcheck: "false",
      placeholder: flag.default ?? (several ? `${flag.value} ...` : flag.value), value: present,
      on: { input: (event) => set(several ? split(event.target.value) : event.target.value.trim()) },
    });
    return make("div", { class: "field" }, label, input, help);
  }

  /** The methods that were picked in the outline. */
  function showMethods() {
    const picked = wishes.get("generate")?.method ?? [];
    methods.textContent = picked.length > 0
      ? `Methods picked in the outline: ${picked.join(", ")}`
      : "All methods; pick some in the outline.";
  }

  return {
    /** The form of the flags, which stands below the runs. */
    flags,
    offer,
    changed,
    wish,
    /** What is walked through: the program, or the first method for which tests are to be generated. */
    walked: () => (command === "generate" ? { ...wish(), command } : wish()),
    /** Picks a method for test generation, or puts it back. */
    pick(method, chosen) {
      if (!wishes.has("generate")) wishes.set("generate", {});
      const own = wishes.get("generate");
      const others = (own.method ?? []).filter((name) => name !== method);
      own.method = chosen ? [...others, method] : others;
      if (command === "generate") show();
      else showMethods();
    },
    /** Whether a method is picked. */
    isPicked: (method) => (wishes.get("generate")?.method ?? []).includes(method),
    /** Forgets what belongs to another program. */
    forget() {
      words.value = "";
      for (const own of wishes.values()) {
        for (const name of ["method", "task", "main", "input", "expect", "when"]) delete own[name];
      }
    },
  };
}

/** Words as a shell reads them, with quotes and without anything else. */
export function split(text) {
  const found = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return found.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
}
