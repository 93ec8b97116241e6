// The list of runs, and the result of one.

import { at, button, count, keep, make, picture, several } from "./dom.js";
import { ask, follow } from "./server.js";
import { told } from "./walk.js";

const VERDICTS = { 0: "ok", 1: "bug", 2: "error", 3: "incomplete" };

/** How many rows of a long list are shown at first. */
const ROWS = 50;

/** Makes the list and the result panel. `context` opens programs, marks lines and walks. */
export function makeRuns(list, panel, context) {
  const runs = new Map();
  let shown = null;
  let version = -1;

  follow(({ runs: changed, numbers }) => {
    for (const run of changed) {
      const before = runs.get(run.number);
      runs.set(run.number, run);
      if (run.number === shown && (run.stage !== before?.stage || run.findings.length !== before?.findings.length)) load();
    }
    for (const number of runs.keys()) if (!numbers.includes(number)) runs.delete(number);
    showList();
    showHead();
  }, (open) => {
    at("connection").textContent = open ? "" : "The server does not answer.";
  });

  function verdict(run) {
    if (run.stage === "running") return "running";
    if (run.stage === "stopping") return "stopping";
    return VERDICTS[run.code] ?? "ended";
  }

  function facts(run) {
    const parts = [];
    const progress = run.progress;
    if (progress?.executions !== undefined) {
      parts.push(several(progress.executions, "execution"));
      if (run.stage !== "ended" && progress.seconds > 0.5) parts.push(`${count(Math.round(progress.executions / progress.seconds))}/s`);
      if (progress.left !== undefined && run.stage !== "ended") parts.push(`roughly ${count(progress.left)} left`);
    }
    if (run.findings.length > 0) parts.push(several(run.findings.length, "finding"));
    if (run.tests > 0) parts.push(several(run.tests, "test"));
    if (run.outcomes > 0) parts.push(several(run.outcomes, "final state"));
    return parts.join(", ");
  }

  async function act(run, what) {
    try {
      if (what === "forget") await ask("DELETE", `/api/runs/${run.number}`);
      else await ask("POST", `/api/runs/${run.number}/${what}`);
    } catch (error) {
      context.trouble(error.message);
    }
  }

  function controls(run) {
    return [
      run.stage === "running" && button("Stop", () => act(run, "stop"), { "data-act": "stop" }),
      run.continuable && button("Continue", () => act(run, "continue"), { "data-act": "continue" }),
    ];
  }

  /** One row for each run, changed in place so that the keyboard stays where it is. */
  function showList() {
    for (const row of [...list.children]) if (!runs.has(Number(row.dataset.run))) row.remove();
    for (const run of [...runs.values()].sort((one, other) => other.number - one.number)) {
      let row = list.querySelector(`[data-run="${run.number}"]`);
      const key = `${run.stage} ${run.code} ${run.continuable}`;
      if (!row) {
        row = make("li", { "data-run": run.number });
        const later = [...list.children].find((other) => Number(other.dataset.run) < run.number);
        list.insertBefore(row, later ?? null);
      }
      if (row.dataset.key !== key) {
        row.dataset.key = key;
        row.replaceChildren(
          make("span", { class: `verdict ${verdict(run)}` }, verdict(run)),
          button(`${run.number}. ${run.command} ${run.program.path.split("/").pop()}`, () => open(run.number), { class: "link" }),
          make("span", { class: "facts" }),
          ...controls(run).filter(Boolean),
          run.stage === "ended" && button("Forget", () => act(run, "forget"), { class: "quiet" }) || "",
        );
      }
      row.querySelector(".facts").textContent = facts(run);
      row.classList.toggle("now", run.number === shown);
    }
  }

  /** Shows the result of a run. */
  async function open(number) {
    shown = number;
    version = -1;
    showList();
    await load();
    context.show("result");
  }

  let wanted = 0;
  async function load() {
    const number = shown;
    const request = ++wanted;
    try {
      const details = await ask("GET", `/api/runs/${number}`);
      if (request !== wanted || number !== shown || details.version < version) return;
      version = details.version;
      showResult(details);
    } catch (error) {
      panel.replaceChildren(make("p", { class: "trouble" }, error.message));
    }
  }

  function showHead() {
    const run = runs.get(shown);
    const facing = panel.querySelector(".head .facts");
    if (run && facing) facing.textContent = facts(run);
  }

  function showResult(run) {
    const result = run.result ?? {};
    const findings = result.findings ?? run.findings.map(({ title, file, line, finding }) => ({ ...finding, title, file, line }));
    panel.replaceChildren(
      make("div", { class: "head" },
        make("span", { class: `verdict ${verdict(run)}`, id: "verdict" }, verdict(run)),
        make("span", { class: "facts" }, facts(run)),
        controls(run)),
      make("p", {}, make("code", {}, run.line), run.edited ? " (on the text as it was, which was not saved)" : ""),
      run.error ? make("pre", { class: "trouble" }, run.error) : "",
      ...section("Findings", findings.map((finding, index) => showFinding(run, finding, index, result))),
      ...section("Cycles of waiting", (result.cycles ?? []).map(showCycle)),
      ...showTests(run, result.tests ?? []),
      ...showOutcomes(run, result.outcomes ?? run.seen.map((state) => ({ state }))),
      ...showCoverage(run, result),
      ...showPictures(run),
      ...notes(result),
      run.screen ? make("details", {}, make("summary", {}, "What the terminal shows"), make("pre", {}, run.screen)) : "",
    );
  }

  function section(title, rows) {
    return rows.length > 0 ? [make("h3", {}, `${title} (${rows.length})`), ...rows] : [];
  }

  function notes(result) {
    const texts = [...(result.warnings ?? []), ...(result.assumptions ?? []).map((text) => `Assumed: ${text}.`)];
    if ((result.bounds ?? []).length > 0) texts.unshift(`Left out because of: ${result.bounds.map((bound) => bound.text ?? (typeof bound === "string" ? bound : JSON.stringify(bound))).join(", ")}.`);
    return texts.length > 0 ? [make("h3", {}, "What the result rests on"), make("ul", { class: "notes" }, texts.map((text) => make("li", {}, text)))] : [];
  }

  /** The program of a run, as it was. */
  function programOf(run) {
    return run.edited ? { owner: "run", path: String(run.number) } : run.program;
  }

  function placeLink(run, file, line) {
    if (!file) return "";
    return button(`${file}:${line}`, () => context.go(programOf(run), file, line), { class: "link place" });
  }

  function title(finding) {
    if (finding.title) return finding.title;
    return finding.message.startsWith(finding.kind) ? finding.message : `${finding.kind}: ${finding.message}`;
  }

  function showFinding(run, finding, index, result) {
    const steps = finding.trace ?? [];
    const matter = steps.filter((step) => step.matters);
    const last = matter.length > 0 ? matter[matter.length - 1].step : finding.schedule.steps.length;
    const body = make("details", { class: "finding", open: index === 0 },
      make("summary", {}, `${index + 1}. ${title(finding)}`),
      make("p", {}, placeLink(run, finding.file, finding.line), finding.count > 0 ? ` in ${several(finding.count, "execution")}` : ""),
      (finding.inputs ?? []).length > 0 ? make("p", {}, "Inputs: ", finding.inputs.map(({ name, value }) => `${name} = ${value}`).join(", ")) : "",
      make("p", {},
        button("Walk through it", () => context.walk(programOf(run), run.wishes, finding.schedule, Math.max(last - 1, 0)), { class: "main", "data-act": "walk" }),
        " ",
        button("See its end", () => context.walk(programOf(run), run.wishes, finding.schedule, finding.schedule.steps.length), { "data-act": "walk-end" })),
      steps.length > 0 ? trace(run, finding, matter.length > 0 ? matter : steps) : "");
    const name = `sequence-${index + 1}.svg`;
    if (run.pictures.includes(name)) body.append(lazyPicture(run, name, "Sequence diagram", index === 0, (number) => {
      const step = steps.find((known) => known.step === number);
      if (step) context.go(programOf(run), step.file, step.line);
    }));
    return body;
  }

  function trace(run, finding, steps) {
    const table = make("table", { class: "trace" },
      make("thead", {}, make("tr", {}, ["step", "where", "who did what"].map((text) => make("th", {}, text)))));
    const rows = make("tbody");
    const show = (from) => {
      for (const step of steps.slice(from, from + ROWS)) {
        const go = button(String(step.step), () => context.go(programOf(run), step.file, step.line), { class: "link", title: "Mark its line" });
        rows.append(make("tr", { "data-step": step.step },
          make("td", {}, go), make("td", {}, `${step.file.split("/").pop()}:${step.line}`),
          make("td", {}, told(step), step.output ? make("pre", {}, step.output) : "")));
      }
      if (from + ROWS < steps.length) {
        const more = make("tr", {}, make("td", { colspan: "3" },
          button(`${steps.length - from - ROWS} more steps`, () => { more.remove(); show(from + ROWS); })));
        rows.append(more);
      }
    };
    show(0);
    table.append(rows);
    return make("div", { class: "wide" }, table);
  }

  function showCycle(cycle) {
    return make("p", { class: "cycle" }, make("span", { class: `verdict ${cycle.state}` }, cycle.state), ` ${cycle.sentence}`);
  }

  function showTests(run, tests) {
    // Methods that are tested together have no name by which one could ask for them.
    const alone = !run.wishes.flags?.system;
    const ofMethod = (method) => ({ ...run.wishes, command: "generate", flags: { ...run.wishes.flags, method: [method] } });
    const methods = alone ? [...new Set(tests.map(({ method }) => method))].slice(0, 50) : [];
    const trees = methods.map((method) => button(`Tree of ${method}`, () => context.tree(programOf(run), ofMethod(method)), { "data-act": "tree" }));
    const walk = (test) => button("Walk through it", () => context.walk(programOf(run), ofMethod(test.method), { steps: test.choices, inputs: [] }, 0), { class: "main", "data-act": "walk-test" });
    const row = (test, index) => make("details", { class: "test", open: index < 2 },
      make("summary", {}, `${index + 1}. ${test.method ?? ""} ${test.outcome} `,
        test.condition ? make("code", {}, [].concat(test.condition).join(" && ") || "any input") : ""),
      make("div", { class: "wide" }, make("table", {},
        make("tbody", {}, ["inputs", "outputs"].map((part) =>
          make("tr", {}, make("th", {}, part), make("td", {}, tree(test[part]))))))),
      alone && test.choices ? make("p", {}, walk(test)) : "",
      run.pictures.includes(`test-${index + 1}.svg`) ? lazyPicture(run, `test-${index + 1}.svg`, "Sequence diagram", false) : "");
    return [...section("Tests", tests.slice(0, 200).map(row)), trees.length > 0 ? make("div", { class: "bar" }, trees) : ""];
  }

  /** A value as nested lists. */
  function tree(value) {
    if (value === null || typeof value !== "object") return String(value);
    const keys = Object.keys(value).join();
    if (keys === "name,value") return make("span", {}, make("b", {}, value.name), " = ", tree(value.value));
    if (keys === "class,fields,object") {
      return make("span", {}, make("b", {}, value.object), `: ${value.class}`, make("ul", {},
        Object.entries(value.fields).map(([name, part]) => make("li", {}, make("b", {}, name), " = ", tree(part)))));
    }
    if (Array.isArray(value)) return value.length === 0 ? "none" : make("ul", {}, value.map((part) => make("li", {}, tree(part))));
    return make("ul", {}, Object.entries(value).map(([name, part]) => make("li", {}, make("b", {}, name), ": ", tree(part))));
  }

  function showOutcomes(run, outcomes) {
    if (outcomes.length === 0) return [];
    const way = (schedule) => button("Walk", () => context.walk(programOf(run), run.wishes, schedule, 0), { class: "quiet", "data-act": "walk-outcome", title: "Walk through an execution that ends so" });
    const rows = outcomes.slice(0, ROWS).map(({ state, executions, schedule }) => make("tr", {},
      make("td", {}, make("pre", {}, state.trim() || "(nothing)")), make("td", { class: "number" }, executions === undefined ? "" : count(executions)),
      make("td", {}, schedule ? way(schedule) : "")));
    const more = outcomes.length > ROWS ? [make("p", {}, `and ${outcomes.length - ROWS} more`)] : [];
    return [make("h3", {}, `Final states (${outcomes.length})`), make("div", { class: "wide" },
      make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "state"), make("th", {}, "executions"), make("th", {}, make("span", { class: "unseen" }, "way there")))),
        make("tbody", {}, rows))), ...more];
  }

  function showCoverage(run, result) {
    const files = (result.coverage ?? []).filter((covered) => covered.file);
    const methods = (result.coverage ?? []).filter((covered) => covered.method);
    const rows = files.map((covered) => make("p", {},
      `${covered.file}: ${covered.executed.length} of ${covered.executed.length + covered.missed.length} lines `,
      button("Show beside the source", () => context.cover(programOf(run), covered), { "data-act": "cover" })));
    rows.push(...methods.map((covered) => make("div", {},
      make("p", {}, `${covered.method}: ${covered.statements.covered} of ${covered.statements.all} statements, ${covered.branches.covered} of ${covered.branches.all} branches`),
      covered.missing.length > 0 ? make("ul", {}, covered.missing.map(({ line, what, reason }) => make("li", {}, `line ${line}: ${what}: ${reason}`))) : "")));
    return rows.length > 0 ? [make("h3", {}, "Coverage"), ...rows] : [];
  }

  function showPictures(run) {
    const own = run.pictures.filter((name) => !/^(sequence|test)-\d+\.svg$/.test(name));
    return own.length > 0 ? [make("h3", {}, "Pictures"), ...own.map((name) => lazyPicture(run, name, name.replace(".svg", ""), true))] : [];
  }

  /** A picture that is fetched when it is opened. */
  function lazyPicture(run, name, about, open, chosen) {
    const place = make("div", { class: "picture", tabindex: "0", role: "group", "aria-label": about });
    const body = make("details", { open, "data-picture": name }, make("summary", {}, about), place);
    let asked = false;
    const fill = async () => {
      if (asked || !body.open) return;
      asked = true;
      const response = await fetch(`/api/runs/${run.number}/pictures/${name}`);
      if (!response.ok) return;
      const text = await response.text();
      place.replaceChildren(button("Save picture", () => keep(name, "image/svg+xml", text), { class: "quiet" }), picture(text, chosen));
    };
    body.addEventListener("toggle", fill);
    fill();
    return body;
  }

  return { open, /** The run that is shown. */ shown: () => runs.get(shown) };
}
