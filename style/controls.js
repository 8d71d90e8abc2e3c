// The fields of the form of values, kind by kind. Each shows what the text has at its path, and changes it there.
import { bare } from './complete.js';
import { beginning, bounds, fieldsOf, isSame, look, number, resolve, shown, variantOf, wordsOf, written } from './model.js';
import { element, helper, icon, iconButton, label, wordButton } from './parts.js';
import { read } from './read.js';

const KINDS = { object: 'Mapping', array: 'List', text: 'Text', integer: 'Whole number', number: 'Number', boolean: 'True or false', choice: 'Choice', variants: 'One of several', raw: 'YAML' };
/** A list shows as many items at once; each further press shows as many more. */
const ITEMS_SHOWN = 100;

/** The view of a field. `extras` are of an item: its title, its buttons, and how it is drawn anew. */
export function controlOf(form, field, path, extras = {}) {
  const there = form.look(path);
  const kind = shown(field, there.shape);
  const of = { form, field, path, there, extras, title: extras.title ?? field.title ?? field.key };
  const make = { object: mapping, array: list, text: line, integer: line, number: line, boolean: check, choice, variants }[kind] ?? raw;
  const view = make(of);
  of.view = view;
  return view;
}

/** What is said below a field. */
function about({ form, field, there }) {
  const limits = bounds(field.limits, field.kind).map(([words, n]) => form.say(words, { n }));
  return [
    [field.description, limits.join(' · ')].filter(Boolean).join(' — '),
    field.deprecated ? form.say('The chart advises against it.') : '',
    field.reason ?? '',
    there.shape === 'null' && ['object', 'array'].includes(field.kind) ? form.say('It is null here.') : '',
  ].filter(Boolean);
}

/** A label, a field and what is below it. */
function frame(of, id, control, { lone = false } = {}) {
  const { form, field, extras, title } = of;
  const lines = helper(`${id}-about`, about(of));
  const back = extras.actions ? null : reset(of);
  const head = element('div', { class: 'pf-v6-c-form__group-label values-label' }, [
    lone
      ? element('span')
      : element('label', { class: 'pf-v6-c-form__label', for: id }, [
          element('span', { class: 'pf-v6-c-form__label-text' }, [title]),
          field.required && element('span', { class: 'pf-v6-c-form__label-required', 'aria-hidden': 'true' }, [' *']),
        ]),
    field.deprecated && label(form.say('Deprecated')),
    back,
  ]);
  const row = extras.actions ? element('div', { class: 'values-item' }, [control, element('div', { class: 'values-item-actions' }, extras.actions)]) : control;
  const view = element('div', { class: 'pf-v6-c-form__group values-field' }, [
    (!lone || back) && head,
    element('div', { class: 'pf-v6-c-form__group-control' }, [row, lines.below]),
  ]);
  let [problems, own] = [[], null];
  const input = control.matches('input, select, textarea') ? control : control.querySelector('input, select, textarea');
  const tell = () => {
    const all = own ? [own, ...problems] : problems;
    lines.show(all);
    input.setAttribute('aria-invalid', String(all.length > 0));
    (input.closest('.pf-v6-c-form-control') ?? input).classList.toggle('pf-m-error', all.length > 0);
  };
  input.setAttribute('aria-describedby', `${id}-about`);
  if (field.required) input.setAttribute('aria-required', 'true');
  view.showProblems = (found) => {
    problems = found;
    tell();
  };
  view.done = (could, why) => {
    own = could ? null : (why ?? form.say('This cannot be changed here without changing more than this. Change it in the YAML view.'));
    tell();
    back?.refresh();
  };
  tell();
  return view;
}

/** Draws a field anew. */
function again({ form, field, path, view, extras }) {
  form.flush();
  return extras.again ? extras.again() : form.again(view, field, path);
}

/** The way back to the chart's default, or without a value that the chart does not know. */
function reset(of) {
  const { form, field, path } = of;
  const words = field.isOther ? form.say('Remove') : form.say('Reset to default');
  const act = () => {
    form.flush();
    const given = form.whole && field.default !== undefined && !field.isOther;
    const could = given ? form.put(path, field.default) : form.erase(path);
    if (!could) return of.view.done?.(false);
    if (field.isOther) return of.view.remove();
    const next = again(of);
    next?.querySelector('input, select, textarea, button')?.focus();
    return undefined;
  };
  const button = wordButton(words, act, `${words}: ${of.title}`);
  button.classList.add('values-reset');
  button.refresh = () => {
    const { shape, source } = form.look(path);
    const differs = field.default !== undefined && shape !== 'nothing' && !isSame(source, field.default);
    button.hidden = !(field.isOther || differs || (shape !== 'nothing' && field.default === undefined && !form.whole && !field.required));
  };
  button.refresh();
  return button;
}

function wordsOfDefault({ form, field, there }) {
  const given = field.default ?? field.suggestion;
  if (given === undefined || there.shape === 'null') return there.shape === 'null' ? 'null' : '';
  try {
    const found = look(given, []);
    return found.shape === 'null' ? 'null' : wordsOf(found);
  } catch {
    return given;
  }
}

/** A text or a number. */
function line(of) {
  const { form, field, path, there } = of;
  const id = form.nextId();
  const words = wordsOf(there);
  const hint = wordsOfDefault(of);
  const isLong = field.kind === 'text' && (words.includes('\n') || hint.includes('\n'));
  const given = { id, value: words, placeholder: hint, spellcheck: 'false', autocomplete: 'off', readOnly: Boolean(field.readOnly) };
  const input = isLong ? element('textarea', { ...given, rows: String(Math.min(12, Math.max(3, (words || hint).split('\n').length))) }) : element('input', { ...given, type: 'text', inputmode: field.kind === 'text' ? undefined : 'decimal' });
  const control = element('span', { class: isLong ? 'pf-v6-c-form-control pf-m-textarea pf-m-resize-vertical' : 'pf-v6-c-form-control' }, [input]);
  const view = frame(of, id, nullable(of, control, input));
  const put = () => {
    const now = input.value;
    const isNumber = field.kind !== 'text';
    // A number that is not there is not given.
    if (isNumber && now.trim() === '') return view.done(form.erase(path));
    return view.done(form.put(path, isNumber ? number(now.trim()) : written(now)));
  };
  follow(form, input, put);
  return view;
}

/** A field of text that is read a little after it was typed in, and at once when it is left. */
function follow(form, input, put) {
  input.addEventListener('input', () => form.later(put));
  input.addEventListener('change', (event) => {
    event.stopPropagation();
    form.flush();
  });
}

/** With the choice of null, where that is one. */
function nullable(of, control, input) {
  const { form, field, path, there } = of;
  if (!field.nullable && there.shape !== 'null') return control;
  const id = form.nextId();
  const box = element('input', { type: 'checkbox', class: 'pf-v6-c-check__input', id, checked: there.shape === 'null' });
  box.addEventListener('change', (event) => {
    event.stopPropagation();
    form.flush();
    const could = box.checked ? form.put(path, 'null') : form.put(path, field.default !== undefined && !isSame(field.default, 'null') ? field.default : beginning(of.form.model, { ...field, default: undefined, suggestion: undefined }));
    if (!could) return of.view.done(false);
    return again(of)?.querySelector('input[type=checkbox]')?.focus();
  });
  input.disabled = there.shape === 'null';
  const words = element('label', { class: 'pf-v6-c-check__label', for: id }, [form.say('Null')]);
  return element('div', { class: 'values-nullable' }, [control, element('div', { class: 'pf-v6-c-check' }, [box, words])]);
}

/** Yes or no. */
function check(of) {
  const { form, field, path, there, title } = of;
  const id = form.nextId();
  const value = there.shape === 'boolean' ? there.node.value : wordsOfDefault(of) === 'true';
  const input = element('input', { type: 'checkbox', class: 'pf-v6-c-check__input', id, checked: value, disabled: Boolean(field.readOnly) });
  const words = element('label', { class: 'pf-v6-c-check__label', for: id }, [title, field.required && element('span', { class: 'pf-v6-c-form__label-required', 'aria-hidden': 'true' }, [' *'])]);
  const view = frame(of, id, element('div', { class: 'pf-v6-c-check' }, [input, words]), { lone: true });
  input.addEventListener('change', (event) => {
    event.stopPropagation();
    form.flush();
    view.done(form.put(path, String(input.checked)));
  });
  return view;
}

function selectOf(form, id, options, chosen, isOff) {
  const select = element('select', { id, disabled: isOff }, options.map((words, at) => element('option', { value: String(at), selected: at === chosen }, [words])));
  const caret = element('span', { class: 'pf-v6-c-form-control__utilities' }, [element('span', { class: 'pf-v6-c-form-control__toggle-icon' }, [icon('caret')])]);
  return [select, element('span', { class: 'pf-v6-c-form-control' }, [select, caret])];
}

/** One of several values. */
function choice(of) {
  const { form, field, path, there } = of;
  const options = field.choices.map(({ value, title }) => ({ value, words: title ?? bare(value) }));
  let chosen = there.shape === 'nothing' ? -1 : options.findIndex(({ value }) => isSame(value, there.source));
  if (there.shape === 'nothing' || !(form.whole || field.required)) {
    const hint = wordsOfDefault(of);
    options.unshift({ value: null, words: hint ? form.say('Default: {value}', { value: hint }) : form.say('Choose one') });
    chosen += 1;
  }
  if (chosen < 0) {
    options.unshift({ value: there.source, words: form.say('{value} (not one of the choices)', { value: there.source }) });
    chosen = 0;
  }
  const id = form.nextId();
  const [select, control] = selectOf(form, id, options.map(({ words }) => words), chosen, Boolean(field.readOnly));
  const view = frame(of, id, control);
  select.addEventListener('change', (event) => {
    event.stopPropagation();
    form.flush();
    const { value } = options[Number(select.value)];
    view.done(value === null ? form.erase(path) : form.put(path, isSame(bare(value), value) ? bare(value) : value));
  });
  return view;
}

function variantWords(form, variant) {
  const it = resolve(form.model, variant);
  if (it.title) return it.title;
  if (it.kind === 'choice' && it.choices.length === 1) return bare(it.choices[0].value);
  const names = it.kind === 'object' ? (it.fields ?? []).slice(0, 3).map(({ key }) => key) : [];
  const kind = form.say(KINDS[it.kind] ?? 'YAML');
  return names.length > 0 ? `${kind} (${names.join(', ')})` : kind;
}

/** One of several kinds of things: which, and below it that thing's own fields. */
function variants(of) {
  const { form, field, path, there, extras, title } = of;
  const id = form.nextId();
  const chosen = variantOf(form.model, field, there.node);
  const [select, control] = selectOf(form, id, field.variants.map((it) => variantWords(form, it)), chosen, Boolean(field.readOnly));
  const head = frame({ ...of, field: { ...field, limits: undefined } }, id, control);
  const slot = (at) => `${JSON.stringify(path)} ${at}`;
  select.addEventListener('change', (event) => {
    event.stopPropagation();
    form.flush();
    if (there.shape !== 'nothing') form.remembered.set(slot(chosen), form.look(path).source);
    const at = Number(select.value);
    const value = form.remembered.get(slot(at)) ?? beginning(form.model, field.variants[at]);
    if (!form.put(path, value)) return head.done(false);
    // What looks like another variant would be shown as that one: it is told by what is in it.
    return again(of)?.querySelector('select')?.focus();
  });
  const variant = resolve(form.model, field.variants[chosen]);
  const inner = variant.kind === 'object' && ['object', 'nothing', 'null'].includes(there.shape) ? form.fieldViews(variant, path) : [controlOf(form, { ...variant, key: field.key, title: variantWords(form, variant), default: variant.default ?? field.default }, path, { again: extras.again ?? (() => form.again(of.view, field, path)) })];
  const view = element('div', { class: 'values-variants', role: 'group', 'aria-label': title }, [head, element('div', { class: 'values-inset' }, inner)]);
  view.showProblems = head.showProblems;
  view.done = head.done;
  return view;
}

/** Any YAML. */
function raw(of) {
  const { form, path, there } = of;
  const id = form.nextId();
  const hint = of.field.default ?? '';
  const rows = String(Math.min(16, Math.max(2, (there.source || hint).split('\n').length)));
  const input = element('textarea', { id, class: 'values-code', value: there.source, placeholder: hint, rows, spellcheck: 'false', readOnly: Boolean(of.field.readOnly) });
  const view = frame(of, id, element('span', { class: 'pf-v6-c-form-control pf-m-textarea pf-m-resize-vertical' }, [input]));
  follow(form, input, () => {
    if (input.value.trim() === '') return view.done(form.erase(path));
    try {
      read(input.value);
    } catch (error) {
      return view.done(false, form.say('This is not YAML: {what}', { what: String(error.message).split('\n')[0] }));
    }
    return view.done(form.put(path, input.value));
  });
  return view;
}

/** A mapping: a group of its fields, and where it may have other names, the way to give them. */
function mapping(of) {
  const { form, field, path, extras, title } = of;
  const takesNames = !field.closed && (field.other || (field.fields ?? []).length === 0);
  const body = () => [...form.fieldViews(field, path), ...(takesNames ? [adder()] : [])];
  const adder = () => {
    const id = form.nextId();
    const input = element('input', { id, type: 'text', placeholder: form.say('Name'), 'aria-label': form.say('Name of the new value in {group}', { group: title }), autocomplete: 'off', spellcheck: 'false' });
    const lines = helper(`${id}-about`, []);
    const add = () => {
      form.flush();
      const name = input.value.trim();
      const { node } = form.look(path);
      const isThere = fieldsOf(form.model, field, node).some(({ key }) => key === name);
      if (name === '' || isThere) return lines.show([isThere ? form.say('There is one of that name.') : form.say('Give it a name.')]);
      const could = form.put([...path, name], beginning(form.model, field.other ?? { kind: 'text' }));
      if (!could) return lines.show([form.say('This cannot be changed here without changing more than this. Change it in the YAML view.')]);
      view.refill();
      const fields = view.querySelectorAll(':scope > .pf-v6-c-form__field-group-body > [data-path]');
      return fields[fields.length - 1]?.querySelector('input, select, textarea, button:not(.values-reset)')?.focus();
    };
    input.addEventListener('change', (event) => event.stopPropagation());
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      add();
    });
    const row = element('div', { class: 'values-adder' }, [element('span', { class: 'pf-v6-c-form-control' }, [input]), addButton(form.say('Add value'), add)]);
    return element('div', {}, [row, lines.below]);
  };
  const view = form.groupView({ field, path, title, description: about(of), actions: extras.actions ?? otherActions(of), body });
  return view;
}

const addButton = (words, act) => {
  const button = element('button', { type: 'button', class: 'pf-v6-c-button pf-m-link' }, [element('span', { class: 'pf-v6-c-button__text' }, [`+ ${words}`])]);
  button.addEventListener('click', act);
  return button;
};

/** Of a group that is no item: the way back, where there is one. */
function otherActions(of) {
  const back = of.field.kind === 'array' || of.field.isOther ? reset(of) : null;
  of.back = back;
  return back ? [back] : [];
}

/** A list: a group of its items, with the ways to add, remove and move them. */
function list(of) {
  const { form, field, path, extras, title } = of;
  const item = field.item ?? { key: '', kind: 'raw' };
  let most = ITEMS_SHOWN;
  const redo = (focus) => {
    form.flush();
    view.refill();
    of.back?.refresh();
    view.querySelector(focus)?.focus();
  };
  const at = (index) => `:scope > .pf-v6-c-form__field-group-body > [data-item="${index}"]`;
  const inputs = ':is(input, select, textarea, button:not(.values-reset))';
  const act = (could, focus) => (could ? redo(focus) : view.showProblems([form.say('This cannot be changed here without changing more than this. Change it in the YAML view.')]));
  const actionsOf = (index, length, words) => [
    iconButton('sort-up', form.say('Move up: {item}', { item: words }), () => (form.flush(), act(form.move(path, index, index - 1), `${at(index - 1)} button`)), index === 0),
    iconButton('sort-down', form.say('Move down: {item}', { item: words }), () => (form.flush(), act(form.move(path, index, index + 1), `${at(index + 1)} button`)), index === length - 1),
    iconButton('close', form.say('Remove: {item}', { item: words }), () => (form.flush(), act(form.erase([...path, index]), '.values-add button'))),
  ];
  const itemView = (node, index, length) => {
    const it = resolve(form.model, item);
    const words = nameOf(form, node, index);
    const view = controlOf(form, { ...it, key: '', default: undefined, title: undefined, required: false }, [...path, index], { title: words, actions: actionsOf(index, length, words), again: () => redo(`${at(index)} ${inputs}`) });
    view.dataset.path = JSON.stringify([...path, index].map(String));
    view.dataset.item = String(index);
    return view;
  };
  const body = () => {
    const { node, shape } = form.look(path);
    const hasDefault = shape === 'nothing' && field.default !== undefined && !isSame(field.default, '[]') && !isSame(field.default, 'null');
    if (hasDefault) {
      const change = addButton(form.say('Change the default list'), () => act(form.put(path, field.default), `${at(0)} ${inputs}`));
      return [element('p', { class: 'note' }, [form.say('The chart’s own list applies:')]), element('pre', { class: 'values-code' }, [field.default]), change];
    }
    const nodes = shape === 'array' ? node.items : [];
    const views = nodes.slice(0, most).map((it, index) => itemView(it, index, nodes.length));
    const more = nodes.length > most && addButton(form.say('Show more of {n} items', { n: nodes.length }), () => ((most += ITEMS_SHOWN), redo(`${at(most - ITEMS_SHOWN)} ${inputs}`)));
    const add = addButton(form.say('Add {what}', { what: item.title ?? form.say('item') }), () => {
      form.flush();
      most = Math.max(most, nodes.length + 1);
      const count = form.look(path).node?.items?.length ?? 0;
      act(form.insert(path, count, beginning(form.model, item)), `${at(count)} ${inputs}`);
      view.querySelector(at(count))?.unfold?.();
    });
    const none = nodes.length === 0 && element('p', { class: 'note' }, [form.say('The list is empty.')]);
    return [none, ...views, more, element('div', { class: 'values-add' }, [add])].filter(Boolean);
  };
  const view = form.groupView({ field, path, title, description: about(of), actions: extras.actions ?? otherActions(of), body });
  return view;
}

/** An item is called by its number, and by its own name where it has one. */
function nameOf(form, node, index) {
  const own = node?.items?.find?.((pair) => ['name', 'key', 'id', 'host'].includes(String(pair.key?.value)))?.value?.value;
  const number = form.say('Item {n}', { n: String(index + 1) });
  return typeof own === 'string' && own !== '' ? `${number}: ${own}` : number;
}
