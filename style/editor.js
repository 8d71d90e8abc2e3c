// <yaml-editor>: CodeMirror as a form element of the page.
//
// Properties: `value` (string), `readonly` (boolean), `diagnostics` ([{line, message}], lines from 1), `label` (string), `model`
// (the form of the chart's values as JSON, or as an object): it completes names and values, and says what they are.
// Event: `change`, bubbling, when the user has typed. Tab moves on, as in any other field, and does not indent: nobody is
// trapped in it. Enter keeps the indentation; Ctrl-] and Ctrl-[ change it.
// Static functions on texts: `overlay`, `merge`, `problem` (values.js), `get`, `set`, `remove`, `insertItem`, `moveItem`, `quote`
// (edit.js), `merge3`, `review` (merge3.js). Methods: `goTo(line)`, `find()`.
// With it comes <values-form> (values-form.js), the same values as a form.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, linter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { offers, said } from './complete.js';
import { words } from './words.js';
import { get, insertItem, moveItem, quote, remove, set } from './edit.js';
import { merge3, review } from './merge3.js';
import { merge, overlay, problem } from './values.js';
import './values-form.js';

// Colours come from the page's tokens (style/form.css), which follow the theme.
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  { tag: [tags.meta, tags.labelName, tags.typeName], color: 'var(--code-meta)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--code-text)', backgroundColor: 'var(--code-background)' },
  '.cm-scroller': { fontFamily: 'var(--code-font)', fontSize: '0.8125rem', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--code-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--code-text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--code-comment)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--code-active)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--code-selection) !important' },
  '.cm-panels': { backgroundColor: 'var(--code-panel)', color: 'var(--code-text)' },
  '.cm-panels-top, .cm-panels-bottom': { borderColor: 'var(--code-border)' },
  '.cm-tooltip': { backgroundColor: 'var(--code-panel)', color: 'var(--code-text)', border: '1px solid var(--code-border)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--code-selection)', color: 'var(--code-text)' },
  '.cm-tooltip.cm-completionInfo, .cm-said': { padding: '0.5rem 0.75rem', maxWidth: '28rem', whiteSpace: 'pre-wrap' },
  '.cm-foldPlaceholder': { backgroundColor: 'transparent', color: 'var(--code-comment)', border: 'none' },
});

class YamlEditor extends HTMLElement {
  static overlay = overlay;
  static merge = merge;
  static problem = problem;
  static get = get;
  static set = set;
  static remove = remove;
  static insertItem = insertItem;
  static moveItem = moveItem;
  static quote = quote;
  static merge3 = merge3;
  static review = review;
  /** `merge3` and `review`, and `set` or `remove` at a path, for whoever speaks in texts: JSON in, JSON out. */
  static carried = (before, after, users) => {
    const merged = merge3(before, after, users);
    return merged && JSON.stringify({ text: merged.text, notes: JSON.stringify(merged.notes) });
  };
  static reviewed = (before, after, users) => JSON.stringify(review(before, after, users) ?? []);
  static put = (text, path, value) => set(text, JSON.parse(path), value);
  static cut = (text, path) => remove(text, JSON.parse(path));

  #view;
  #value = '';
  #label = 'YAML';
  #readonly = false;
  #diagnostics = [];
  #model = null;
  #access = new Compartment();
  #quiet = false;

  connectedCallback() {
    // What the page set before this class was there lies on the element itself and hides the accessors.
    for (const name of ['value', 'readonly', 'diagnostics', 'label', 'model']) {
      if (Object.hasOwn(this, name)) {
        const set = this[name];
        delete this[name];
        this[name] = set;
      }
    }
    // In a shadow root CodeMirror's styles are constructed sheets, which a strict content security policy allows.
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#view ??= new EditorView({ parent: root, root, state: this.#state() });
    this.#show();
  }

  disconnectedCallback() {
    this.#value = this.value;
    this.#view?.destroy();
    this.#view = undefined;
  }

  get value() {
    return this.#view ? this.#view.state.doc.toString() : this.#value;
  }

  set value(text) {
    text = String(text ?? '');
    if (text === this.value) return;
    this.#value = text;
    if (!this.#view) return;
    this.#quiet = true;
    this.#view.setState(this.#state());
    this.#quiet = false;
    this.#show();
  }

  get readonly() {
    return this.#readonly;
  }

  set readonly(on) {
    this.#readonly = Boolean(on);
    this.#view?.dispatch({ effects: this.#access.reconfigure(this.#attributes()) });
  }

  get label() {
    return this.#label;
  }

  set label(text) {
    this.#label = String(text);
    this.#view?.dispatch({ effects: this.#access.reconfigure(this.#attributes()) });
  }

  get diagnostics() {
    return this.#diagnostics;
  }

  set diagnostics(list) {
    this.#diagnostics = Array.from(list ?? []);
    this.#show();
  }

  get model() {
    return this.#model;
  }

  set model(form) {
    try {
      this.#model = typeof form === 'string' ? JSON.parse(form) : (form ?? null);
    } catch {
      this.#model = null;
    }
  }

  focus() {
    this.#view?.focus();
  }

  /** Goes to a line, from 1. */
  goTo(line) {
    if (!this.#view) return;
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    this.#view.focus();
  }

  find() {
    if (this.#view) openSearchPanel(this.#view);
  }

  #attributes() {
    return [
      EditorState.readOnly.of(this.#readonly),
      EditorView.contentAttributes.of({
        'aria-label': this.#label,
        tabindex: '0',
        ...(this.#readonly ? { 'aria-readonly': 'true', contenteditable: 'false' } : {}),
      }),
    ];
  }

  #state() {
    return EditorState.create({
      doc: this.#value,
      extensions: [
        lineNumbers(),
        lintGutter(),
        this.#readonly ? [] : linter((view) => this.#errors(view)),
        foldGutter(),
        history(),
        drawSelection(),
        EditorState.phrases.of(words()),
        EditorState.tabSize.of(2),
        indentUnit.of('  '),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        this.#readonly ? [] : autocompletion({ override: [(context) => this.#offers(context)], icons: false }),
        hoverTooltip((view, at) => this.#said(view, at)),
        keymap.of([...completionKeymap, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap]),
        yaml(),
        syntaxHighlighting(colours),
        theme,
        this.#access.of(this.#attributes()),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || this.#quiet) return;
          // What was said of the text before is not said of this one.
          this.#diagnostics = [];
          this.dispatchEvent(new Event('change', { bubbles: true }));
        }),
      ],
    });
  }

  // Asked for, or while a word is typed: an empty line is not covered with offers by itself.
  #offers({ state, pos, explicit }) {
    const found = this.#model && offers(this.#model, state.doc.toString(), pos);
    if (!found || (!explicit && pos === found.from && state.doc.lineAt(pos).text.trim() === '')) return null;
    // In the chart's order, which has a sense, where what is typed fits several as well.
    const options = found.options.map((option, at) => ({ ...option, info: option.info || undefined, boost: Math.max(-99, 50 - at) }));
    return { from: found.from, to: Math.max(found.to, pos), options };
  }

  #said({ state }, at) {
    const found = this.#model && said(this.#model, state.doc.toString(), at);
    if (!found) return null;
    const dom = document.createElement('div');
    dom.className = 'cm-said';
    dom.textContent = found.lines.join('\n');
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom }) };
  }

  // The text's own first error, and those that the page has been told of.
  #errors({ state: { doc } }) {
    return [problem(doc.toString()), ...this.#diagnostics]
      .filter((error) => error && error.line >= 1)
      .map(({ line, message }) => {
        const { from, to } = doc.line(Math.min(line, doc.lines));
        return { from, to, severity: 'error', message };
      });
  }

  #show() {
    if (!this.#view) return;
    const found = this.#diagnostics.length > 0 ? this.#errors(this.#view) : [];
    this.#view.dispatch(setDiagnostics(this.#view.state, found));
  }
}

customElements.define('yaml-editor', YamlEditor);
