/**
 * The file editor, CodeMirror, with completion from the schema and the service's errors at their
 * lines. It is loaded when the tab is opened. It is in a shadow root, because its styles are then
 * style sheets of that root, which the content security policy allows.
 */

import {
  autocompletion,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  WidgetType,
  type DecorationSet,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import type { Problem } from "../service/api";
import { pathAt, placeAt } from "./place-in-text";
import { rangeOf } from "./scenario-text";
import { keysAt, meaningAt, valuesAt, type Schema } from "./schema-help";

export interface Editor {
  /** Shows a text, if it differs from the current one. */
  readonly show: (text: string) => void;
  /** Underlines the errors. */
  readonly mark: (problems: readonly Problem[]) => void;
  readonly goTo: (line: number, column: number) => void;
  readonly close: () => void;
}

interface Wishes {
  readonly text: string;
  readonly label: string;
  readonly schema: Schema | null;
  readonly onwrite: (text: string) => void;
  readonly onundo: () => void;
  readonly onredo: () => void;
  /** The message of an error in the reader's language. */
  readonly messageOf: (problem: Problem) => string;
  /** The words of the link that repairs an error. */
  readonly repairWords: (repair: string) => string;
  readonly onrepair: (problem: Problem) => void;
}

/** An error of a line, shown below it, with its repair if it is known. */
class Sentence extends WidgetType {
  private readonly message: string;

  constructor(
    private readonly problem: Problem,
    private readonly wishes: Pick<Wishes, "messageOf" | "repairWords" | "onrepair">,
  ) {
    super();
    this.message = wishes.messageOf(problem);
  }
  override eq(other: Sentence): boolean {
    const { repair, line, column } = this.problem;
    return (
      other.message === this.message &&
      other.problem.repair === repair &&
      other.problem.line === line &&
      other.problem.column === column
    );
  }
  override toDOM(): HTMLElement {
    const dom = document.createElement("div");
    dom.className = "cm-sentence";
    dom.textContent = this.message;
    const { repair } = this.problem;
    if (typeof repair === "string") {
      const link = document.createElement("button");
      link.type = "button";
      link.textContent = this.wishes.repairWords(repair);
      link.addEventListener("click", () => this.wishes.onrepair(this.problem));
      dom.append(" ", link);
    }
    return dom;
  }
}

const MARKED =
  StateEffect.define<readonly { readonly line: number; readonly widget: Sentence }[]>();

const SENTENCES = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, transaction) => {
    const marked = transaction.effects.find((effect) => effect.is(MARKED));
    if (marked === undefined) return before.map(transaction.changes);
    const { doc } = transaction.state;
    const below = marked.value.map(({ line, widget }) => {
      return Decoration.widget({ widget, block: true, side: 1 }).range(
        doc.line(Math.min(Math.max(line, 1), doc.lines)).to,
      );
    });
    return Decoration.set(below, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const FROM_OUTSIDE = Annotation.define<boolean>();

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: tags.comment, color: "var(--ink3)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--ink2)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    lineHeight: "20px",
    overflow: "auto",
    containerType: "inline-size",
  },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink3)", border: "0" },
  ".cm-activeLine": { backgroundColor: "var(--accent-soft)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--line2)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line2)",
    maxWidth: "420px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-meaning": { padding: "6px 10px", fontFamily: "var(--sans)", whiteSpace: "pre-wrap" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  // As wide as the visible part, next to the line numbers, however long the lines of the file are.
  ".cm-sentence": {
    boxSizing: "border-box",
    position: "sticky",
    left: "56px",
    width: "calc(100cqi - 60px)",
    padding: "2px 8px 4px",
    color: "var(--bad)",
    backgroundColor: "var(--bad-soft)",
    fontFamily: "var(--sans)",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
  ".cm-sentence button": {
    padding: "0",
    border: "0",
    background: "none",
    color: "var(--accent)",
    font: "inherit",
    textDecoration: "underline",
    cursor: "pointer",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
});

/**
 * Replaces a selection by what is typed. The browser would give the new text the style of the
 * replaced one in a `style` attribute, which the content security policy refuses.
 */
const OVER_SELECTION = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (
      event.inputType !== "insertText" ||
      event.isComposing ||
      event.data === null ||
      view.state.selection.main.empty
    )
      return false;
    view.dispatch(view.state.replaceSelection(event.data), {
      userEvent: "input.type",
      scrollIntoView: true,
    });
    return true;
  },
});

export function openEditor(host: HTMLElement, wishes: Wishes): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: wishes.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        yaml(),
        syntaxHighlighting(COLOURS),
        LOOK,
        SENTENCES,
        OVER_SELECTION,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": wishes.label, tabindex: "0" }),
        autocompletion({ override: [(context) => complete(context, wishes.schema)] }),
        hoverTooltip((shown, position) => meaningTooltip(shown, position, wishes.schema)),
        // The page handles undo, which also covers changes of the form.
        keymap.of([
          { key: "Mod-z", run: () => (wishes.onundo(), true), preventDefault: true },
          { key: "Mod-y", run: () => (wishes.onredo(), true), preventDefault: true },
          { key: "Mod-Shift-z", run: () => (wishes.onredo(), true), preventDefault: true },
          ...completionKeymap,
          ...defaultKeymap,
          // Escape followed by Tab leaves the editor.
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          const own =
            update.docChanged &&
            !update.transactions.some((one) => one.annotation(FROM_OUTSIDE) === true);
          if (own) wishes.onwrite(update.state.doc.toString());
        }),
      ],
    }),
  });

  return {
    show: (text) => {
      if (text === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: FROM_OUTSIDE.of(true),
      });
    },
    mark: (problems) => {
      const text = view.state.doc.toString();
      const diagnostics = problems.map((problem) => {
        const range = rangeOf(text, problem.line ?? 1, problem.column ?? 1);
        return { ...range, severity: "error" as const, message: wishes.messageOf(problem) };
      });
      const sentences = problems.map((problem) => ({
        line: problem.line ?? 1,
        widget: new Sentence(problem, wishes),
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics), { effects: MARKED.of(sentences) });
    },
    goTo: (line, column) => {
      const { from } = rangeOf(view.state.doc.toString(), line, column);
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

function complete(context: CompletionContext, schema: Schema | null): CompletionResult | null {
  if (schema === null) return null;
  const text = context.state.doc.toString();
  const place = placeAt(text, context.pos);
  if (place === null || (!context.explicit && place.from === context.pos)) return null;
  const { keys } = place;
  const offers = keys === null ? valuesAt(schema, place.path) : keysAt(schema, place.path, keys);
  const after = text.slice(context.pos).startsWith(":") || keys === null ? "" : ": ";
  return {
    from: place.from,
    validFor: /^[A-Za-z0-9_.$-]*$/,
    options: offers.map(({ label, detail }) => ({
      label,
      apply: `${label}${after}`,
      ...(detail === "" ? {} : { info: detail }),
      type: keys === null ? "constant" : "property",
    })),
  };
}

function meaningTooltip(
  view: EditorView,
  position: number,
  schema: Schema | null,
): { pos: number; create: () => { dom: HTMLElement } } | null {
  const path = schema === null ? null : pathAt(view.state.doc.toString(), position);
  const meaning = schema === null || path === null ? "" : meaningAt(schema, path);
  if (meaning === "") return null;
  return {
    pos: position,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "cm-meaning";
      dom.textContent = meaning;
      return { dom };
    },
  };
}
