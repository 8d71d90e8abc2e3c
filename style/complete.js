// What the editor knows at a place of a text from the form of the chart's values: which names and values can stand there, and
// what is said of the one that does. The text is looked at by its indentation, so that half a line is no hindrance.
import { say } from './words.js';

/** The model's words for what a field holds. */
const KINDS = {
  object: 'mapping',
  array: 'list',
  text: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  choice: 'choice',
  variants: 'one of several',
};

/** The most that is offered at a time. */
const OFFERED_MAX = 200;

/**
 * Where an offset is: `{path, part, from, to, column}`. `part` is `key` or `value`, `from` and `to` bound what is written there,
 * and `path` leads to the mapping that the key is in, or to the value. Null in a comment, in a text of several lines, and in
 * `{…}` and `[…]`.
 */
export function where(text, offset) {
  const lines = text.split('\n');
  let [at, start] = [0, 0];
  while (at < lines.length - 1 && start + lines[at].length < offset) start += lines[at++].length + 1;
  const line = lines[at];
  const cursor = offset - start;
  const { dashes, key, value } = structure(line);
  const body = key ? key.column : dashes.length > 0 ? dashes.at(-1) + 2 : line.length - line.trimStart().length;
  if (comment(line) <= cursor && comment(line) >= 0) return null;
  const column = key || line.trim() !== '' ? body : cursor;
  const path = parents(lines, at, column, dashes);
  if (path === null) return null;
  if (key && value && cursor >= value.from) {
    const written = line.slice(value.from, comment(line) >= 0 ? comment(line) : undefined).trimEnd();
    if (/^[{[|>&*!]/.test(written)) return null;
    return { path: [...path, key.name], part: 'value', from: start + value.from, to: start + value.from + written.length, column };
  }
  if (key && cursor > key.end) return null;
  const written = line.slice(body).split('#')[0];
  const from = Math.min(body, cursor);
  return { path, part: 'key', from: start + from, to: start + (key ? key.end : Math.max(from, body + written.trimEnd().length)), column };
}

/** What can stand at an offset: `{from, to, options: [{label, apply, detail, info}]}`; null if nothing is known. */
export function offers(form, text, offset) {
  const place = where(text, offset);
  if (!place) return null;
  const fields = fieldsAt(form, place.path);
  const options = place.part === 'value' ? fields.flatMap((field) => values(form, field)) : names(form, fields, text, place);
  const unique = [...new Map(options.map((option) => [option.label, option])).values()].slice(0, OFFERED_MAX);
  return unique.length > 0 ? { from: place.from, to: place.to, options: unique } : null;
}

/** What is said of the key at an offset: `{from, to, lines}`; null if nothing is. */
export function said(form, text, offset) {
  const place = where(text, offset);
  if (!place) return null;
  const name = text.slice(place.from, place.to);
  const path = place.part === 'value' ? place.path : [...place.path, unquoted(name)];
  const [field] = fieldsAt(form, path);
  const lines = field ? describe(form, field) : [];
  return lines.length > 0 && place.to > place.from ? { from: place.from, to: place.to, lines } : null;
}

/** The fields that a path can lead to: several where the chart has alternatives. */
export function fieldsAt(form, path) {
  let fields = [form.root];
  for (const part of path) {
    fields = fields.flatMap((field) => resolved(form, field)).flatMap((field) => {
      if (typeof part === 'number') return field.item ? [field.item] : [];
      const named = (field.fields ?? []).filter(({ key }) => key === part);
      return named.length > 0 ? named : field.other ? [field.other] : [];
    });
  }
  return fields.flatMap((field) => resolved(form, field));
}

/** A field past its name in the table and its alternatives. */
function resolved(form, field, depth = 0) {
  if (depth > 8) return [];
  if (field.kind === 'defined') {
    const definition = form.definitions[field.definition];
    if (!definition) return [];
    const own = { key: field.key, required: field.required, default: field.default, title: field.title ?? definition.title, description: field.description ?? definition.description };
    return resolved(form, { ...definition, ...own }, depth + 1);
  }
  if (field.kind === 'variants') {
    const { title, description } = field;
    return field.variants.flatMap((it) => resolved(form, { ...it, key: field.key, title: title ?? it.title, description: description ?? it.description }, depth + 1));
  }
  return [field];
}

function names(form, fields, text, place) {
  const known = new Set(siblings(text, place));
  const all = fields.flatMap((field) => field.fields ?? []).filter(({ key }) => !known.has(key) || key === unquoted(text.slice(place.from, place.to)));
  const hasColon = /^\s*:/.test(text.slice(place.to));
  const inset = ' '.repeat(place.column + 2);
  return all.map((field) => {
    const [first] = resolved(form, field);
    const kind = first?.kind ?? field.kind;
    const label = /^[\w./-]+$/.test(field.key) ? field.key : JSON.stringify(field.key);
    const behind = kind === 'object' ? `:\n${inset}` : kind === 'array' ? `:\n${inset}- ` : ': ';
    const kinds = [KINDS[kind], field.required && 'required', field.deprecated && 'deprecated'];
    const detail = kinds.filter(Boolean).map((word) => say(word)).join(', ');
    return { label, apply: hasColon ? label : label + behind, detail, info: describe(form, field).join('\n') };
  });
}

function values(_, field) {
  const detail = (value) => (value === field.default ? say('default') : undefined);
  const option = (label, info) => ({ label, apply: label, detail: detail(label), info: info ?? '' });
  const given = field.default ?? field.suggestion;
  const own = given !== undefined && given !== null && !given.includes('\n') && given.length < 100 ? [option(given)] : [];
  if (field.kind === 'choice') return field.choices.map(({ value, title }) => option(bare(value), title));
  if (field.kind === 'boolean') return [option('true'), option('false')];
  return own;
}

/** A choice without quotation marks where it needs none. */
export function bare(value) {
  const word = /^"([A-Za-z_][\w./-]*)"$/.exec(value)?.[1];
  return word && !/^(y|yes|n|no|true|false|on|off|null)$/i.test(word) ? word : value;
}

function describe(form, field) {
  const [first] = resolved(form, field);
  const it = { ...first, ...Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined && value !== null)) };
  const limits = first?.limits ?? {};
  const given = it.default ?? it.suggestion;
  return [
    it.title,
    it.description,
    [KINDS[first?.kind], it.required && 'required', it.nullable && 'or null'].filter(Boolean).map((word) => say(word)).join(', '),
    limits.minimum ? say('At least {n}', limits.minimum) : null,
    limits.above ? say('More than {n}', limits.above) : null,
    limits.maximum ? say('At most {n}', limits.maximum) : null,
    limits.below ? say('Less than {n}', limits.below) : null,
    limits.pattern ? say('Matches {n}', limits.pattern) : null,
    first?.kind === 'choice' ? say('One of {n}', first.choices.slice(0, 12).map(({ value }) => bare(value)).join(', ')) : null,
    given && given.length < 200 ? say('Default: {n}', given) : null,
    it.deprecated ? say('The chart advises against it.') : null,
  ].filter(Boolean);
}

// ---- the text -----------------------------------------------------------------------------------------------------

const unquoted = (name) => (/^".*"$/.test(name) ? name.slice(1, -1) : /^'.*'$/.test(name) ? name.slice(1, -1).replaceAll("''", "'") : name);

/** Where a line's comment begins; -1 if it has none. */
function comment(line) {
  const found = /(^|\s)#/.exec(line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, (quoted) => '_'.repeat(quoted.length)));
  return found ? found.index + found[1].length : -1;
}

/** The signs of a line: where its dashes are, and its key. */
function structure(line) {
  const dashes = [];
  let column = line.length - line.trimStart().length;
  while (/^-(\s|$)/.test(line.slice(column))) {
    dashes.push(column);
    column += 1 + /^\s*/.exec(line.slice(column + 1))[0].length;
  }
  const found = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#&*!|>'"%@`{}[\],?:-][^#]*?|-[^\s#][^#]*?)\s*:(?=\s|$)/.exec(line.slice(column));
  if (!found) return { dashes, key: null, value: null };
  const colon = column + found[0].length;
  const key = { column, name: unquoted(found[1]), end: column + found[1].length };
  return { dashes, key, value: { from: colon + Math.min(1, line.length - colon) } };
}

/** The way to the mapping that a column of a line is in; null inside of a text of several lines. */
function parents(lines, at, column, dashes) {
  const path = [];
  let [limit, behindDash] = [column, false];
  const step = (dash) => {
    path.unshift(0);
    [limit, behindDash] = [dash, true];
  };
  [...dashes].reverse().filter((dash) => dash < limit).forEach(step);
  for (let above = at - 1; above >= 0 && (limit > 0 || behindDash); above--) {
    const line = lines[above];
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const { dashes: signs, key, value } = structure(line);
    if (key && (key.column < limit || (behindDash && key.column === limit))) {
      if (/^\s*[|>]/.test(line.slice(value.from))) return null;
      path.unshift(key.name);
      [limit, behindDash] = [key.column, false];
    } else if (!key && signs.length > 0 && signs.at(-1) < limit && /^\s*[|>]/.test(line.slice(signs.at(-1) + 1))) return null;
    [...signs].reverse().filter((dash) => dash < limit).forEach(step);
  }
  return path;
}

/** The keys of the mapping that a place is in. */
function siblings(text, { from, column }) {
  const lines = text.split('\n');
  const at = text.slice(0, from).split('\n').length - 1;
  // A dash right before the first key of a mapping in a list is where that mapping begins.
  const begins = (line) => structure(lines[line]).dashes.some((dash) => dash < column);
  const found = [];
  for (const way of [-1, 1]) {
    if (way === -1 && begins(at)) continue;
    for (let line = at + way; line >= 0 && line < lines.length; line += way) {
      if (lines[line].trim() === '' || lines[line].trimStart().startsWith('#')) continue;
      const { dashes, key } = structure(lines[line]);
      const first = dashes[0] ?? key?.column ?? lines[line].length - lines[line].trimStart().length;
      if (key?.column === column && (way === -1 || !begins(line))) found.push(key.name);
      if (first < column) break;
    }
  }
  return found;
}
