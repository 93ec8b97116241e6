// Small helpers for making elements. All texts are set as text, never as markup.

/** An element with attributes and children. `on` holds listeners; a child may be a text, an element or nothing. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button that does something. */
export function button(text, act, attributes = {}) {
  return make("button", { type: "button", on: { click: act }, ...attributes }, text);
}

/** The element with this id. */
export function at(id) {
  return document.getElementById(id);
}

/** Says something to those who listen instead of looking. */
export function say(text) {
  at("said").textContent = text;
}

/** A number with its digits in groups. */
export function count(number) {
  return Number(number).toLocaleString("en");
}

/** A number and its noun. */
export function several(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Tabs of a list that are walked through by arrow keys; `shown` is told which one is chosen. */
export function tabs(list, shown) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const choose = (tab, focus) => {
    for (const other of all) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    if (focus) tab.focus();
    shown(tab);
  };
  for (const tab of all) tab.addEventListener("click", () => choose(tab, false));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const index = all.indexOf(document.activeElement);
    if (step && index >= 0) {
      event.preventDefault();
      choose(all[(index + step + all.length) % all.length], true);
    }
  });
  return choose;
}

/**
 * An SVG picture that the server has drawn, as elements. Its styles are those of the page. A click on a step of
 * it tells its number; the same steps stand in a table that can be reached by keyboard.
 */
export function picture(text, chosen) {
  const plain = text.replace(/<style>[^<]*<\/style>/g, "");
  const read = new DOMParser().parseFromString(plain, "image/svg+xml").documentElement;
  read.querySelectorAll("style, script").forEach((element) => element.remove());
  const drawn = document.importNode(read, true);
  if (chosen) {
    drawn.classList.add("steps");
    drawn.addEventListener("click", (event) => {
      const step = event.target.closest("[data-step]")?.dataset.step;
      if (step) chosen(Number(step));
    });
  }
  return drawn;
}

/** Lets the user keep a text as a file. */
export function keep(name, kind, text) {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
