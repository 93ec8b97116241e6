// The tree of executions: every node is a state, its children are the steps that can be taken there.
// Children are asked for when a node is opened, so the tree may be as large as it likes. Stretches with
// nothing to choose are one node.

import { button, make, several } from "./dom.js";
import { ask } from "./server.js";

/** How many nodes are open at most. */
const MOST = 5_000;

/** Makes the panel. `context` gives the program and walks. */
export function makeTree(panel, context) {
  let program = null;
  let wishes = null;
  let nodes = 0;
  const root = make("ul", { role: "tree", class: "tree", "aria-label": "Tree of executions" });
  const trouble = make("p", { class: "trouble", role: "alert" });
  const count = make("p", { class: "about" });
  const about = make("p", { class: "about" });
  panel.append(
    about,
    make("div", { class: "bar" }, button("Open all below the chosen node, two levels", () => openLevels(2))),
    trouble, root, count);

  async function states(choices) {
    return ask("POST", "/api/step", {
      program: context.sent(program), wishes, question: { choices, follow: true, brief: true },
    });
  }

  /** Begins with a program, unless it is the present one. */
  function show(next, asked) {
    const key = JSON.stringify([next, asked]);
    if (panel.dataset.key === key) return;
    panel.dataset.key = key;
    [program, wishes, nodes] = [next, asked, 0];
    trouble.textContent = "";
    const whole = asked.command === "generate" ? `Every path of ${asked.flags?.method?.[0] ?? "the first method"}.` : "Every order of steps.";
    about.textContent = `${whole} Open a node to see what can follow it; Enter walks there.`;
    const first = node([], "start", 1);
    root.replaceChildren(first);
    first.tabIndex = 0;
    open(first);
  }

  function node(choices, text, level) {
    nodes += 1;
    count.textContent = several(nodes, "node");
    const item = make("li", { role: "treeitem", "aria-expanded": "false", "aria-level": level, tabindex: "-1" },
      make("span", { class: "label" }, text));
    item.choices = choices;
    item.firstChild.addEventListener("click", () => {
      choose(item);
      item.getAttribute("aria-expanded") === "true" ? close(item) : open(item);
    });
    item.firstChild.addEventListener("dblclick", () => context.walk(program, wishes, item.reached ?? item.choices));
    return item;
  }

  async function open(item) {
    if (item.dataset.state === "opening" || item.getAttribute("aria-expanded") === "true" || item.dataset.state === "leaf") return;
    if (item.group) {
      item.setAttribute("aria-expanded", "true");
      item.group.hidden = false;
      return;
    }
    if (nodes >= MOST) {
      trouble.textContent = `More than ${MOST} nodes are open: close the tree or walk on by hand.`;
      return;
    }
    item.dataset.state = "opening";
    try {
      const state = await states(item.choices);
      item.reached = state.choices;
      const skipped = state.choices.length - item.choices.length;
      const label = item.firstChild;
      if (skipped > 0) label.append(make("span", { class: "place" }, ` and ${several(skipped, "step")} with nothing to choose`));
      const kinds = new Set(state.failures.map(({ kind }) => kind).filter((kind) => kind !== state.ended));
      for (const kind of kinds) label.append(" ", make("span", { class: "verdict bug" }, kind));
      if (state.moves.length === 0) {
        item.dataset.state = "leaf";
        item.removeAttribute("aria-expanded");
        label.append(" ", make("span", { class: `verdict ${kinds.size > 0 ? "" : state.ended}` }, state.ended));
        return;
      }
      item.dataset.state = "";
      const level = Number(item.getAttribute("aria-level")) + 1;
      item.group = make("ul", { role: "group" }, state.moves.map((move) =>
        node([...state.choices, move.choice], move.text.startsWith(`${move.process} `) ? move.text : `${move.process} ${move.text}`, level)));
      item.append(item.group);
      item.setAttribute("aria-expanded", "true");
    } catch (error) {
      item.dataset.state = "";
      trouble.textContent = error.message;
    }
  }

  function close(item) {
    if (!item.group) return;
    item.setAttribute("aria-expanded", "false");
    item.group.hidden = true;
  }

  function choose(item) {
    root.querySelectorAll("[tabindex='0']").forEach((other) => { other.tabIndex = -1; });
    root.querySelectorAll("[aria-selected]").forEach((other) => other.removeAttribute("aria-selected"));
    item.tabIndex = 0;
    item.setAttribute("aria-selected", "true");
    item.focus();
  }

  async function openLevels(levels) {
    let items = [root.querySelector("[aria-selected]") ?? root.firstElementChild];
    for (let level = 0; level < levels; level += 1) {
      for (const item of items) await open(item);
      items = items.flatMap((item) => [...item.group?.children ?? []]);
    }
  }

  root.addEventListener("keydown", (event) => {
    const item = document.activeElement?.closest("[role=treeitem]");
    if (!item) return;
    const visible = [...root.querySelectorAll("[role=treeitem]")].filter((other) => other.offsetParent !== null);
    const index = visible.indexOf(item);
    const keys = {
      ArrowDown: () => visible[index + 1] && choose(visible[index + 1]),
      ArrowUp: () => visible[index - 1] && choose(visible[index - 1]),
      ArrowRight: () => item.getAttribute("aria-expanded") === "true" ? choose(item.group.firstElementChild) : open(item),
      ArrowLeft: () => {
        if (item.getAttribute("aria-expanded") === "true") close(item);
        else if (item.parentElement.closest("[role=treeitem]")) choose(item.parentElement.closest("[role=treeitem]"));
      },
      Home: () => choose(visible[0]),
      End: () => choose(visible[visible.length - 1]),
      Enter: () => context.walk(program, wishes, item.reached ?? item.choices),
    };
    if (keys[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
    }
  });

  return { show };
}
