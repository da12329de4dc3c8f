// The scene's text: CodeMirror with TOML, its errors at their lines, and every change undoable.

import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--number)" },
]);

/** The mode knows no exponents of numbers. */
const language = StreamLanguage.define({
  ...toml,
  token(stream, state) {
    const { inString, lhs } = state as unknown as { inString: boolean; lhs: boolean };
    if (!inString && !lhs && stream.match(/^[+-]?\d[\d_]*(\.[\d_]+)?[eE][+-]?\d+/)) return "number";
    return toml.token(stream, state);
  },
});

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px", textUnderlineOffset: "3px" },
  ".cm-tooltip": { background: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", boxShadow: "var(--shadow)", maxWidth: "420px" },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "4px solid var(--bad)", fontFamily: "var(--text)", whiteSpace: "pre-wrap" },
});

export interface Mark {
  message: string;
  line?: number;
  column?: number;
}

export class Editor {
  private readonly view: EditorView;
  onText = () => {};

  constructor(root: HTMLElement) {
    this.view = new EditorView({
      parent: root,
      state: EditorState.create({
        extensions: [
          lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
          language, syntaxHighlighting(colours), looks,
          EditorView.contentAttributes.of({ "aria-label": "The scene as text, TOML", spellcheck: "false", autocapitalize: "off" }),
          // Ctrl+Enter runs, so the editor leaves it alone; Escape, then Tab leaves it
          keymap.of([...defaultKeymap.filter((one) => one.key !== "Mod-Enter"), ...historyKeymap, indentWithTab]),
          EditorView.updateListener.of((update) => update.docChanged && this.onText()),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Changes only what differs, so that the cursor stays where it is; `apart`: as a step of undo of its own. */
  setText(text: string, apart = false): void {
    const old = this.text;
    if (old === text) return;
    const most = Math.min(old.length, text.length);
    let from = 0, same = 0;
    while (from < most && old[from] === text[from]) ++from;
    while (same < most - from && old[old.length - 1 - same] === text[text.length - 1 - same]) ++same;
    this.view.dispatch({ changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) }, userEvent: "input.form", annotations: apart ? isolateHistory.of("full") : [] });
  }

  mark(marks: Mark[]): void {
    const doc = this.view.state.doc;
    const diagnostics = marks.filter((one) => one.line).map((one) => {
      const line = doc.line(Math.min(Math.max(1, one.line!), doc.lines));
      const from = Math.min(line.from + Math.max(0, (one.column ?? 1) - 1), line.to);
      const word = /^[^,\]}#]*[^\s,\]}#]/.exec(line.text.slice(from - line.from));
      const to = Math.min(line.to, from + Math.max(1, word?.[0].length ?? 1));
      return { from: to > from ? from : line.from, to: Math.max(to, line.from), severity: "error" as const, message: one.message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  goTo(line: number, column = 1): void {
    const place = this.view.state.doc.line(Math.min(Math.max(1, line), this.view.state.doc.lines));
    const at = Math.min(place.from + column - 1, place.to);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  undo(): boolean {
    return undo(this.view);
  }
  redo(): boolean {
    return redo(this.view);
  }
  /** What was hidden knows its size again. */
  measure(): void {
    this.view.requestMeasure();
  }
}
