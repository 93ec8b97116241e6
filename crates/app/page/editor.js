// The editor: a text, its colours, messages at their places, and lines that steps and results speak of.
// What words mean comes from the server; nothing here knows a language.

import {
  Compartment, Decoration, EditorState, EditorView, GutterMarker, HighlightStyle, StateEffect, StateField,
  StreamLanguage, bracketMatching, defaultKeymap, drawSelection, gutter, highlightActiveLine,
  highlightActiveLineGutter, history, historyKeymap, indentOnInput, indentUnit, indentWithTab, keymap,
  lineNumbers, lintGutter, lintKeymap, search, searchKeymap, setDiagnostics, syntaxHighlighting, tags,
} from "./vendor/codemirror.js";

/** Colours by the lists of words that the server sends. */
function colours(words) {
  const keywords = new Set(words.keywords);
  const literals = new Set(words.literals);
  const types = new Set(words.types);
  return StreamLanguage.define({
    startState: () => ({ comment: false, quote: null }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      if (state.comment) {
        if (stream.skipTo("*/")) {
          stream.match("*/");
          state.comment = false;
        } else {
          stream.skipToEnd();
        }
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match("//")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match("/*")) {
        state.comment = true;
        return "comment";
      }
      const quote = words.quotes.find((sign) => stream.match(sign));
      if (quote) {
        while (!stream.eol()) {
          if (stream.match(quote)) return "string";
          if (stream.next() === "\\") stream.next();
        }
        return "string";
      }
      if (stream.match(/^\d[\w.]*/)) return "number";
      if (stream.match(/^[A-Za-z_][A-Za-z0-9_]*/)) {
        const word = stream.current();
        if (keywords.has(word)) return "keyword";
        if (literals.has(word)) return "atom";
        if (types.has(word) || /^[A-Z]/.test(word)) return "typeName";
        return "variableName";
      }
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
  });
}

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.atom, color: "var(--number)" },
  { tag: tags.typeName, color: "var(--type)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--paper)", fontSize: "0.9rem" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)" },
});

/** Lines that are marked, each with the class of its mark. */
const setMarks = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(value, change) {
    value = value.map(change.changes);
    for (const effect of change.effects) {
      if (!effect.is(setMarks)) continue;
      const lines = effect.value.filter(({ line }) => line >= 1 && line <= change.state.doc.lines);
      const ranges = lines.map(({ line, kind }) =>
        Decoration.line({ class: `mark-${kind}` }).range(change.state.doc.line(line).from));
      value = Decoration.set(ranges, true);
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Lines that were executed or not. */
class Covered extends GutterMarker {
  constructor(executed) {
    super();
    this.executed = executed;
    this.elementClass = executed ? "covered" : "missed";
  }
  toDOM() {
    const sign = document.createElement("span");
    sign.textContent = this.executed ? "✓" : "○";
    sign.title = this.executed ? "executed" : "not executed";
    return sign;
  }
}
const setCoverage = StateEffect.define();
const coverage = StateField.define({
  create: () => new Map(),
  update(value, change) {
    for (const effect of change.effects) if (effect.is(setCoverage)) value = effect.value;
    return change.docChanged ? new Map() : value;
  },
});
const coverageGutter = gutter({
  class: "coverage",
  lineMarker(view, line) {
    const known = view.state.field(coverage).get(view.state.doc.lineAt(line.from).number);
    return known === undefined ? null : new Covered(known);
  },
  lineMarkerChange: (change) => change.startState.field(coverage) !== change.state.field(coverage),
});

/** Makes the editor. `changed` is called when the user changes the text. */
export function makeEditor(parent, nonce, changed) {
  const language = new Compartment();
  const writable = new Compartment();
  let opening = false;
  const extensions = [
    EditorView.cspNonce.of(nonce),
    lineNumbers(), coverageGutter, coverage, marks, lintGutter(),
    history(), drawSelection(), indentOnInput(), bracketMatching(), indentUnit.of("  "),
    highlightActiveLine(), highlightActiveLineGutter(), search({ top: true }),
    syntaxHighlighting(style), theme,
    language.of([]), writable.of([]),
    EditorView.contentAttributes.of({ "aria-label": "Source text; Escape and then Tab leaves the editor" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !opening) changed();
    }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
  ];
  const view = new EditorView({ state: EditorState.create({ extensions }), parent });
  const clamp = (line) => view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  return {
    /** Shows another text. */
    open(text, words, fixed) {
      opening = true;
      view.setState(EditorState.create({ doc: text, extensions }));
      view.dispatch({
        effects: [
          language.reconfigure(words ? colours(words) : []),
          writable.reconfigure(fixed ? EditorState.readOnly.of(true) : []),
        ],
      });
      opening = false;
    },
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    /** Marks lines, and brings the first into sight. */
    mark(lines) {
      const effects = [setMarks.of(lines)];
      const first = lines.find(({ kind }) => kind === "now") ?? lines[0];
      if (first?.line >= 1 && first.line <= view.state.doc.lines) {
        effects.push(EditorView.scrollIntoView(clamp(first.line).from, { y: "center" }));
      }
      view.dispatch({ effects });
    },
    /** Goes to a line. */
    go(line) {
      const place = clamp(line).from;
      view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
      view.focus();
    },
    /** Shows which lines were executed: a map from lines to truth values. */
    cover: (lines) => view.dispatch({ effects: setCoverage.of(lines) }),
    /** Shows messages at their places. */
    complain(messages) {
      const found = messages.map((message) => {
        const first = clamp(message.line);
        const last = clamp(message.end_line || message.line);
        let from = message.column > 0 ? Math.min(first.from + message.column - 1, first.to) : first.from;
        let to = message.end_column > 0 ? Math.min(last.from + message.end_column - 1, last.to) : first.to;
        if (message.column === 0) to = first.to;
        if (to <= from) {
          const word = view.state.wordAt(from);
          to = word && word.to > from ? word.to : Math.min(from + 1, view.state.doc.length);
          if (to <= from) from = Math.max(0, to - 1);
        }
        return { from, to, severity: message.severity, message: message.text };
      });
      found.sort((one, other) => one.from - other.from);
      view.dispatch(setDiagnostics(view.state, found));
    },
  };
}
