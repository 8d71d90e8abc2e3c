// <values-form>: a text of values as a form. The text is the truth: a field shows what stands there, and puts into its place what
// the user gives, and nothing else of the text changes (edit.js).
//
// Properties: `value` (the text), `model` (the form of the chart's values, as JSON or an object), `problems` ([{path, message}]),
// `whole` (the text has the chart's values in it, so that a default is written in its place and not taken out), `told` (a
// sentence in the page's language).
// Event: `change`, bubbling, when the user has changed the text. Method: `reveal(path)`.
// It is no shadow tree: its fields are PatternFly's, as all of the page are.
import { controlOf } from './controls.js';
import { insertItem, moveItem, remove, set } from './edit.js';
import { FOUND_MAX, count, fieldsOf, look, resolve, search } from './model.js';
import { element, group, icon } from './parts.js';

/** With as many values, the groups are open from the start. */
const OPEN_MAX = 24;
/** What is typed goes into the text after so many milliseconds: in a long text it takes a tenth of a second. */
const TYPED_AFTER_MS = 250;

const keyOf = (path) => JSON.stringify(path.map(String));

const flush = ({ currentTarget }) => currentTarget.flush();

export class ValuesForm extends HTMLElement {
  #value = '';
  #model = null;
  #problems = new Map();
  #told = (sentence) => sentence;
  #open = new Set();
  #pending = null;
  #search = '';
  #fields = null;
  #number = 0;
  /** What stood in the place of another variant. */
  remembered = new Map();
  whole = false;

  connectedCallback() {
    // What is pressed next is pressed with what was typed.
    this.addEventListener('focusout', flush);
    for (const name of ['model', 'told', 'whole', 'value', 'problems']) {
      if (Object.hasOwn(this, name) && !(name === 'whole' && this[name] === false)) {
        const given = this[name];
        if (name !== 'whole') delete this[name];
        this[name] = given;
      }
    }
    this.#draw();
  }

  disconnectedCallback() {
    this.flush();
  }

  get value() {
    this.flush();
    return this.#value;
  }

  set value(text) {
    text = String(text ?? '');
    if (text === this.#value) return;
    this.#pending = null;
    this.#value = text;
    this.#redraw();
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
    this.#open.clear();
    if (this.#model && count(this.#model.root, OPEN_MAX + 1) <= OPEN_MAX) {
      for (const { key } of this.#model.root.fields ?? []) this.#open.add(keyOf([key]));
    }
    this.#redraw();
  }

  set problems(list) {
    this.#problems = new Map();
    for (const { path, message } of list ?? []) {
      const key = keyOf(path);
      this.#problems.set(key, [...(this.#problems.get(key) ?? []), message]);
    }
    this.#mark();
  }

  set told(told) {
    this.#told = typeof told === 'function' ? told : (sentence) => sentence;
  }

  /** A sentence in the page's language, its places filled in. */
  say(sentence, values = {}) {
    return this.#told(sentence).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
  }

  // ---- the text ---------------------------------------------------------------------------------------------------

  look(path) {
    return look(this.#value, path);
  }

  /** Puts a value in its place, and says whether that could be done. */
  put(path, value) {
    return this.#take(set(this.#value, path, value));
  }

  erase(path) {
    return this.#take(remove(this.#value, path));
  }

  insert(path, index, value) {
    const there = this.look(path).shape === 'array';
    return this.#take(there ? insertItem(this.#value, path, index, value) : set(this.#value, [...path, 0], value));
  }

  move(path, from, to) {
    return this.#take(moveItem(this.#value, path, from, to));
  }

  #take(text) {
    if (text === null) return false;
    if (text !== this.#value) {
      this.#value = text;
      this.dispatchEvent(new Event('change', { bubbles: true }));
    }
    return true;
  }

  /** What a field is to do with what is typed in it, a little later. */
  later(act) {
    if (this.#pending && this.#pending.act !== act) this.flush();
    clearTimeout(this.#pending?.timer);
    this.#pending = { act, timer: setTimeout(() => this.flush(), TYPED_AFTER_MS) };
  }

  flush() {
    if (!this.#pending) return;
    const { act, timer } = this.#pending;
    this.#pending = null;
    clearTimeout(timer);
    act();
  }

  // ---- the page ---------------------------------------------------------------------------------------------------

  nextId() {
    this.#number += 1;
    return `values-field-${this.#number}`;
  }

  #draw() {
    const label = this.say('Find a field');
    const input = element('input', { class: 'pf-v6-c-text-input-group__text-input', type: 'search', 'aria-label': label, placeholder: label, autocomplete: 'off', spellcheck: 'false', value: this.#search });
    input.addEventListener('input', () => {
      this.#search = input.value;
      this.#fill();
    });
    // A search is not the form's end.
    input.addEventListener('keydown', (event) => event.key === 'Enter' && event.preventDefault());
    // What is typed there is no value.
    input.addEventListener('change', (event) => event.stopPropagation());
    const box = element('div', { class: 'pf-v6-c-text-input-group search' }, [
      element('div', { class: 'pf-v6-c-text-input-group__main pf-m-icon' }, [
        element('span', { class: 'pf-v6-c-text-input-group__text' }, [element('span', { class: 'pf-v6-c-text-input-group__icon' }, [icon('search')]), input]),
      ]),
    ]);
    this.#fields = element('div', { class: 'values-fields' });
    this.replaceChildren(element('div', { class: 'values-search' }, [box]), this.#fields);
    this.#fill();
  }

  #fill() {
    if (!this.#fields || !this.#model) return;
    this.flush();
    try {
      this.look([]);
    } catch (error) {
      this.#fields.replaceChildren(this.#note(this.say('The YAML cannot be read. Mend it in the YAML view: {what}', { what: String(error.message).split('\n')[0] })));
      return;
    }
    const words = this.#search.trim();
    this.#fields.replaceChildren(...(words ? this.#found(words) : this.fieldViews(this.#model.root, [])));
    this.#mark();
  }

  #found(words) {
    const found = search(this.#model, words);
    if (found.length === 0) return [this.#note(this.say('No field matches {words}.', { words: `“${words}”` }))];
    const views = found.slice(0, FOUND_MAX).map(({ path, field }) => this.fieldView({ ...field, title: [...path.slice(0, -1), field.title ?? path.at(-1)].join(' › ') }, path));
    return found.length > FOUND_MAX ? [...views, this.#note(this.say('There are more. Type another word to narrow the search.'))] : views;
  }

  #note(text) {
    return element('p', { class: 'note', role: 'status' }, [text]);
  }

  #redraw() {
    if (!this.#fields) return;
    const active = this.contains(document.activeElement) ? document.activeElement.closest('[data-path]')?.dataset.path : null;
    this.#fill();
    if (active) this.#focus(active);
  }

  #focus(key) {
    const there = [...this.querySelectorAll('[data-path]')].find((it) => it.dataset.path === key);
    // Its field comes before what can be done with it.
    (there?.querySelector('input, select, textarea') ?? there?.querySelector('button'))?.focus();
    return there;
  }

  /** The fields of a mapping. */
  fieldViews(field, path) {
    const { node } = this.look(path);
    const views = fieldsOf(this.#model, resolve(this.#model, field), node).map((inner) => this.fieldView(inner, [...path, inner.key]));
    if (views.length === 0 && path.length === 0) return [this.#note(this.say('This chart has no values to set.'))];
    return views;
  }

  /** One field, or a group of them. */
  fieldView(field, path) {
    const view = controlOf(this, resolve(this.#model, field), path);
    view.dataset.path = keyOf(path);
    return view;
  }

  /** Draws a field anew, because what it holds is of another shape. */
  again(view, field, path) {
    const next = this.fieldView(field, path);
    view.replaceWith(next);
    this.#mark();
    return next;
  }

  /** A group that draws its fields when it is opened. */
  groupView({ field, path, title, description, actions, body }) {
    const key = keyOf(path);
    return group({
      form: this,
      id: this.nextId(),
      title,
      description,
      actions,
      body,
      isOpen: this.#open.has(key),
      onToggle: (open) => {
        if (open) this.#open.add(key);
        else this.#open.delete(key);
        this.#mark();
      },
      required: field.required,
    });
  }

  /** Opens the groups on the way to a value, and gives it the focus: it, or what is nearest to it; of the whole, its first field. */
  reveal(path) {
    this.#search = '';
    for (let length = 1; length <= path.length; length++) this.#open.add(keyOf(path.slice(0, length)));
    this.#draw();
    for (let length = path.length; length > 0; length--) {
      const there = this.#focus(keyOf(path.slice(0, length)));
      if (!there) continue;
      there.scrollIntoView({ block: 'center' });
      return;
    }
    this.#fields?.querySelector('input, select, textarea, button')?.focus();
  }

  /** Writes what is wrong to the fields that it is about, and how much is wrong in a group to its head. */
  #mark() {
    for (const view of this.querySelectorAll('[data-path]')) {
      const key = view.dataset.path;
      const own = this.#problems.get(key) ?? [];
      view.showProblems?.(own);
      if (!view.showCount) continue;
      const inside = [...this.#problems].filter(([at]) => at.startsWith(`${key.slice(0, -1)},`)).reduce((sum, [, messages]) => sum + messages.length, 0);
      view.showCount(inside);
    }
  }
}

if (globalThis.customElements && !customElements.get('values-form')) customElements.define('values-form', ValuesForm);
