// Walking through a program by hand: who can move, what each would do, and what there is.
// A state is a program and a list of choices, and so is its address.

import { button, keep, make, picture, say, several } from "./dom.js";
import { ask } from "./server.js";

const ENDS = {
  complete: "Everybody has ended.",
  deadlock: "Deadlock: nobody can move.",
  stuck: "Stuck: nobody will make the awaited conditions true.",
  cut: "Cut: this could not be continued.",
};

/** How many of the last steps are listed. */
const ROWS = 200;

/** Who does what; a front end may say who within what. */
export function told({ process, text }) {
  const rest = text.startsWith(`${process} `) ? text.slice(process.length) : ` ${text}`;
  return [make("b", {}, process), rest];
}

/** Makes the panel. `context` marks lines and keeps the address. */
export function makeWalk(panel, context) {
  let walk = null;
  let asked = 0;
  let withPicture = false;
  const opened = new Set();

  /** Goes to a state. `ahead` are the choices of a schedule that follow. */
  async function go(program, wishes, choices, inputs = [], ahead = []) {
    const number = ++asked;
    panel.setAttribute("aria-busy", "true");
    try {
      const answer = await ask("POST", "/api/step", {
        program: context.sent(program), wishes, question: { choices, inputs, picture: withPicture },
      });
      if (number !== asked) return;
      const followed = answer.choices;
      if (answer.error) context.trouble(answer.error);
      walk = { program, wishes, inputs, choices: followed, ahead, answer };
      context.address(program, wishes, followed, inputs, ahead);
      show();
    } catch (error) {
      if (number !== asked) return;
      panel.replaceChildren(make("pre", { class: "trouble", role: "alert" }, error.message));
    } finally {
      panel.removeAttribute("aria-busy");
    }
  }

  const take = (choice) => {
    const ahead = walk.ahead[0] === choice ? walk.ahead.slice(1) : [];
    return go(walk.program, walk.wishes, [...walk.choices, choice], walk.inputs, ahead);
  };
  const back = (length) => {
    const ahead = [...walk.choices.slice(length), ...walk.ahead];
    return go(walk.program, walk.wishes, walk.choices.slice(0, length), walk.inputs, ahead);
  };

  function show() {
    const { answer, choices, ahead } = walk;
    const last = answer.steps[answer.steps.length - 1];
    const failing = answer.failures;
    panel.replaceChildren(
      make("div", { class: "bar" },
        button("Start", () => back(0), { disabled: choices.length === 0 }),
        button("Back", () => back(choices.length - 1), { disabled: choices.length === 0, "data-act": "back" }),
        button("Next", () => take(ahead[0]), { disabled: ahead.length === 0, "data-act": "next", title: "The next step of the schedule" }),
        button("To its end", () => go(walk.program, walk.wishes, [...choices, ...ahead], walk.inputs, []), { disabled: ahead.length === 0 }),
        make("span", { class: "facts", id: "steps-taken" }, several(choices.length, "step"), ahead.length > 0 ? `, ${ahead.length} ahead` : ""),
        make("a", { href: location.hash, class: "address" }, "Address of this state"),
        context.isEdited(walk.program) ? make("span", { class: "about" }, "of the saved text: save first") : ""),
      answer.ended ? make("p", { class: `ended ${failing.length > 0 && answer.ended === "complete" ? "" : answer.ended}`, role: "status", id: "ended" }, ENDS[answer.ended]) : "",
      ...failing.map((failure) => make("p", { class: "trouble", role: "status" }, failure.title)),
      make("h3", {}, "Who can move"),
      answer.moves.length > 0 ? make("ul", { class: "moves" }, answer.moves.map(showMove)) : make("p", {}, "Nobody."),
      ...(answer.waiting.length > 0 ? [make("h3", {}, "Who waits"), make("ul", { class: "waiting" }, answer.waiting.map(showWaiting))] : []),
      make("h3", {}, "What there is"),
      make("ul", { class: "state" }, answer.state.map((node) => showNode(node, ""))),
      answer.output ? make("div", {}, make("h3", {}, "Output"), make("pre", {}, answer.output)) : "",
      make("h3", {}, "What happened"),
      showSteps(),
      showPicture(),
    );
    const lines = [];
    if (last) lines.push(...last.path.map(([file, line]) => ({ file, line, kind: "path" })), { file: last.file, line: last.line, kind: "now" });
    lines.push(...answer.waiting.map(({ file, line }) => ({ file, line, kind: "waits" })));
    context.mark(lines);
    say(answer.ended ? ENDS[answer.ended] : `${answer.moves.length} can move`);
  }

  function showMove(move) {
    const ahead = walk.ahead[0] === move.choice;
    return make("li", {}, button([...told(move), move.fails ? " (fails)" : "",
      make("span", { class: "place" }, ` ${move.file.split("/").pop()}:${move.line}`), ahead ? make("em", {}, " next in the schedule") : ""].flat(), () => take(move.choice), {
      class: `move${move.fails ? " fails" : ""}${ahead ? " ahead" : ""}`, "data-choice": move.choice,
    }));
  }

  function showWaiting(waiting) {
    const whom = waiting.whom.filter((name) => !waiting.what.includes(name));
    return make("li", {}, make("b", {}, waiting.process), ` waits for ${waiting.what}${whom.length > 0 ? ` (${whom.join(", ")})` : ""}`,
      make("span", { class: "place" }, ` ${waiting.file.split("/").pop()}:${waiting.line}`));
  }

  /** A part of the state; what was opened stays open in the next state. */
  function showNode(node, path) {
    const key = `${path}/${node.name}`;
    const value = node.value ? [": ", make("span", { class: "value" }, node.value)] : [];
    const place = node.place?.line ? make("span", { class: "place" }, ` line ${node.place.line}`) : "";
    if (!node.children) return make("li", {}, make("b", {}, node.name), value, place);
    const open = path === "" ? !opened.has(`-${key}`) : opened.has(key);
    const body = make("details", { open }, make("summary", {}, make("b", {}, node.name), value, place),
      make("ul", {}, node.children.map((child) => showNode(child, key))));
    body.addEventListener("toggle", () => {
      if (path === "") body.open ? opened.delete(`-${key}`) : opened.add(`-${key}`);
      else body.open ? opened.add(key) : opened.delete(key);
    });
    return make("li", {}, body);
  }

  function showSteps() {
    const { answer } = walk;
    if (answer.steps.length === 0) return make("p", {}, "Nothing yet.");
    const shown = answer.steps.slice(-ROWS).reverse();
    const rows = shown.map((step) => make("tr", { "data-step": step.number },
      make("td", {}, button(String(step.number), () => back(step.number), { class: "link", title: "Go back to after this step" })),
      make("td", {}, `${step.file.split("/").pop()}:${step.line}`), make("td", {}, told(step))));
    const left = walk.choices.length - shown.length;
    return make("div", { class: "wide" }, make("table", { class: "trace" },
      make("thead", {}, make("tr", {}, ["step", "where", "who did what"].map((text) => make("th", {}, text)))),
      make("tbody", {}, rows)), left > 0 ? make("p", {}, `and ${several(left, "step")} before`) : "");
  }

  function showPicture() {
    const place = make("div", { class: "picture", tabindex: "0" });
    const text = walk.answer.picture;
    if (text) place.append(button("Save picture", () => keep("sequence.svg", "image/svg+xml", text), { class: "quiet" }), picture(text, (step) => back(Math.min(step, walk.choices.length))));
    const body = make("details", { open: withPicture }, make("summary", {}, "Sequence diagram"), place);
    body.addEventListener("toggle", () => {
      if (withPicture === body.open) return;
      withPicture = body.open;
      if (withPicture) go(walk.program, walk.wishes, walk.choices, walk.inputs, walk.ahead);
    });
    return body;
  }

  panel.addEventListener("keydown", (event) => {
    if (!walk || event.target.closest("input, textarea")) return;
    if (event.key === "Backspace" && walk.choices.length > 0) {
      event.preventDefault();
      back(walk.choices.length - 1);
    }
  });

  return {
    go,
    /** What is walked through. */
    now: () => walk,
    /** Forgets it, as another program is open. */
    forget() {
      walk = null;
      asked += 1;
      panel.replaceChildren();
    },
  };
}
