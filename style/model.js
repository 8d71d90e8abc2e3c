// The form of a chart's values beside a text of values: which field a value belongs to, how it is shown in a field, and how
// what is put into a field is written. Without the page, so that it can be tried without one.
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { quote } from './edit.js';
import { told } from './places.js';
import { follow, name, plain, read } from './read.js';

/** How deep fields that can hold themselves are searched. */
const SEARCHED_DEPTH = 10;
/** The most fields that a search shows. */
export const FOUND_MAX = 40;

/** A field past its name in the form's table. */
export function resolve(form, field, depth = 0) {
  if (field.kind !== 'defined' || depth > 8) return field;
  const definition = form.definitions?.[field.definition];
  if (!definition) return { ...field, kind: 'raw' };
  const own = Object.fromEntries(Object.entries(field).filter(([key, value]) => !['kind', 'definition'].includes(key) && value !== undefined && value !== null));
  return resolve(form, { ...definition, ...own }, depth + 1);
}

/** The value at a path: `{node, document, shape, source}`; its shape is `nothing` where there is none. */
export function look(text, path) {
  const document = read(text);
  const node = path.length === 0 ? (document.contents ?? undefined) : follow(document, path);
  const shape = shapeOf(node);
  return { node, document, shape, source: shape === 'nothing' ? '' : told(text, node) };
}

/** What a node is, in the form's words. */
export function shapeOf(node) {
  if (node === undefined) return 'nothing';
  if (node === null) return 'null';
  if (isAlias(node)) return 'alias';
  if (isMap(node)) return 'object';
  if (isSeq(node)) return 'array';
  const value = isScalar(node) ? node.value : node;
  if (value === null) return 'null';
  return { bigint: 'integer', number: 'number', boolean: 'boolean', string: 'text' }[typeof value] ?? 'raw';
}

/** The kind of field that shows a value without changing it: that of the form where the value fits it. */
export function shown(field, shape) {
  const free = shape === 'nothing' || shape === 'null';
  const fits = {
    object: free || shape === 'object',
    array: free || shape === 'array',
    boolean: free || shape === 'boolean',
    choice: !['object', 'array', 'alias'].includes(shape),
    text: !['object', 'array', 'alias'].includes(shape),
    integer: !['object', 'array', 'alias'].includes(shape),
    number: !['object', 'array', 'alias'].includes(shape),
    variants: shape !== 'alias',
  };
  return fits[field.kind] ? field.kind : 'raw';
}

/** What a field has to show of a value: a text's words, and of anything else how it is written. */
export const wordsOf = ({ node, shape, source }) => (shape === 'text' ? String(isScalar(node) ? node.value : node) : shape === 'null' ? '' : source);

/** A text as it is written: over several lines, where it has some and that loses nothing. */
export function written(words) {
  if (!words.includes('\n')) return quote(words);
  const body = words.replace(/\n$/, '');
  const isPlain = body.trim() !== '' && !/[\r\t]|[ ]+$/m.test(words) && !/^\s|\n$/.test(body);
  if (!isPlain) return JSON.stringify(words);
  return `|${words.endsWith('\n') ? '' : '-'}\n${body.split('\n').map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}`;
}

/** A number as it is written: as it was typed; what is none is a text, which the check will not like. */
export function number(words) {
  try {
    const { contents } = read(words);
    const isNumber = isScalar(contents) && ['bigint', 'number'].includes(typeof contents.value) && contents.source === words;
    return isNumber ? words : quote(words);
  } catch {
    return quote(words);
  }
}

/** Whether two texts are the same value. */
export function isSame(one, other) {
  if (one === other) return true;
  try {
    const [a, b] = [read(one), read(other)];
    return plain(a.contents, a) === plain(b.contents, b);
  } catch {
    return false;
  }
}

/** What a value has that the chart says nothing of is a field by its looks. */
export function inferred(key, node) {
  const shape = shapeOf(node);
  if (shape === 'array') {
    const shapes = new Set(node.items.map(shapeOf));
    const item = shapes.size === 1 ? inferred('', node.items[0]) : { key: '', kind: shapes.size === 0 ? 'text' : 'raw' };
    return { key, kind: 'array', item: { ...item, key: '' } };
  }
  const kind = ['object', 'text', 'integer', 'number', 'boolean'].includes(shape) ? shape : shape === 'null' || shape === 'nothing' ? 'text' : 'raw';
  return { key, kind };
}

/** The fields of a mapping: those of the chart, and those that the value has besides. */
export function fieldsOf(form, field, node) {
  const known = field.fields ?? [];
  const names = new Set(known.map(({ key }) => key));
  const others = isMap(node) ? node.items.filter((pair) => name(pair.key) !== '<<' && !names.has(name(pair.key))) : [];
  return [...known, ...others.map((pair) => ({ ...(field.other ?? inferred('', pair.value)), key: name(pair.key), isOther: true }))];
}

/** Which of its variants a value is. */
export function variantOf(form, field, node) {
  const marks = field.variants.map((variant) => likeness(form, resolve(form, variant), node));
  const best = Math.max(...marks);
  return best > -Infinity ? marks.indexOf(best) : 0;
}

function likeness(form, field, node) {
  const shape = shapeOf(node);
  if (shape === 'nothing') return 0;
  if (field.kind === 'raw') return -1;
  if (field.kind === 'choice') return field.choices.some(({ value }) => isSame(value, String(isScalar(node) ? (node.source ?? node.value) : ''))) ? 5 : -5;
  if (field.kind === 'variants') return Math.max(...field.variants.map((it) => likeness(form, resolve(form, it), node)));
  if (shape === 'null') return field.nullable ? 1 : -1;
  if (field.kind === 'number' && shape === 'integer') return 1;
  if (field.kind !== shape) return -10;
  if (shape !== 'object') return 2;
  const fields = new Map((field.fields ?? []).map((it) => [it.key, it]));
  let mark = 1;
  for (const { key, value } of node.items) {
    const inner = fields.get(name(key));
    if (inner) mark += Math.min(3, Math.max(-6, likeness(form, resolve(form, inner), value)));
    else mark -= field.closed ? 3 : 1;
  }
  const has = new Set(node.items.map(({ key }) => name(key)));
  for (const inner of fields.values()) if (inner.required && !has.has(inner.key)) mark -= 4;
  return mark;
}

/** What a field begins with when it is added: its default, else nothing of its kind. */
export function beginning(form, field) {
  const it = resolve(form, field);
  if (it.default ?? it.suggestion) return it.default ?? it.suggestion;
  switch (it.kind) {
    case 'object': {
      const needed = (it.fields ?? []).filter(({ required, kind }) => required && kind !== 'defined');
      return needed.length === 0 ? '{}' : needed.map((inner) => `${quote(inner.key)}: ${indented(beginning(form, inner))}`).join('\n');
    }
    case 'array':
      return '[]';
    case 'boolean':
      return 'false';
    case 'choice':
      return it.choices[0]?.value ?? '""';
    case 'integer':
    case 'number':
      return it.limits?.minimum ?? '0';
    case 'variants':
      return it.variants.length > 0 ? beginning(form, it.variants[0]) : 'null';
    case 'raw':
      return 'null';
    default:
      return '""';
  }
}

const indented = (value) => (value.includes('\n') || /^- /.test(value) ? `\n  ${value.split('\n').join('\n  ')}` : value);

/** The fields whose name, title or description has each of the words, with their paths; at most [`FOUND_MAX`]. */
export function search(form, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  const visit = (field, path, depth) => {
    if (found.length > FOUND_MAX || depth > SEARCHED_DEPTH) return;
    const it = resolve(form, field);
    const said = [path.join('.'), it.title, it.description].filter(Boolean).join(' ').toLowerCase();
    const isGroup = it.kind === 'object' && it.fields?.length > 0;
    if (path.length > 0 && !isGroup && wanted.every((word) => said.includes(word))) found.push({ path, field: it });
    // What can hold itself is found once.
    if (field.kind === 'defined' && depth > 4) return;
    for (const inner of it.fields ?? []) visit(inner, [...path, inner.key], depth + 1);
  };
  visit(form.root, [], 0);
  return found;
}

/** How many fields there are, up to `most`. */
export function count(field, most) {
  let found = 0;
  const visit = (it) => {
    found += 1;
    for (const inner of it.fields ?? []) if (found < most) visit(inner);
  };
  visit(field);
  return found;
}

/** What is said of a value's bounds, as sentences with places. */
export function bounds({ minimum, maximum, above, below, multipleOf, shortest, longest, pattern, format, unique } = {}, kind = 'text') {
  const length = { text: ['At least {n} characters', 'At most {n} characters'], array: ['At least {n} items', 'At most {n} items'], object: ['At least {n} names', 'At most {n} names'] }[kind] ?? [];
  return [
    minimum !== undefined && ['At least {n}', minimum],
    above !== undefined && ['More than {n}', above],
    maximum !== undefined && ['At most {n}', maximum],
    below !== undefined && ['Less than {n}', below],
    multipleOf !== undefined && ['A multiple of {n}', multipleOf],
    shortest > 1 && length[0] && [length[0], String(shortest)],
    longest !== undefined && length[1] && [length[1], String(longest)],
    format !== undefined && ['Format: {n}', format],
    pattern !== undefined && pattern.length <= 80 && ['Matches {n}', pattern],
    unique && ['No item twice', ''],
  ].filter(Boolean);
}
