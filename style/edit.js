// Changes single values in a YAML text, and leaves every other byte of it alone: comments, order, blank lines, the way a number
// is written. A path is a list of keys and of places in lists; a value is a YAML text of its own. What cannot be done so is
// not done: null comes back, and the text is to be changed by hand.
import { isAlias, isMap, isScalar, isSeq, visit } from 'yaml';
import { chunks, columnOf, cut, dash, end, eol, isBlock, isNothing, itemEnd, lineEnd, lineStart, pairEnd, pairStart, signEnd, start, told } from './places.js';
import { follow, pairOf, plain, read } from './read.js';

/** The value at `path` as a YAML text; null if there is none. */
export function get(text, path) {
  try {
    const node = follow(read(text), path);
    return node === undefined ? null : told(text, node);
  } catch {
    return null;
  }
}

/** `text` with `value` at `path`; mappings on the way are made. An item right behind a list's last one is added. */
export function set(text, path, value) {
  value = value.trim() === '' ? 'null' : value.replace(/\s+$/, '');
  if (get(text, path) === value) return text;
  return change(text, path, value, (document) => place(text, document, path, value));
}

/** `text` without the value at `path`. */
export function remove(text, path) {
  return change(text, path, undefined, (document) => takeOut(text, document, path));
}

/** `text` with `value` as the item number `index` of the list at `path`. */
export function insertItem(text, path, index, value) {
  return list(text, path, (items) => items.splice(index, 0, readValue(value)), (node, document) => {
    if (index === node.items.length || node.items.length === 0) return place(text, document, [...path, index], value);
    if (node.flow) return cut(text, start(node.items[index]), start(node.items[index]), `${flow(value)}, `);
    const at = chunks(text, node)[index].from;
    const column = columnOf(text, dash(node, index));
    const indent = text.slice(lineStart(text, at), at).replace(/[^ ]/g, ' ');
    return cut(text, at, at, `- ${below(value, column + 2, eol(text))}${eol(text)}${indent}`);
  });
}

/** `text` with the item number `from` of the list at `path` at the place `to`. */
export function moveItem(text, path, from, to) {
  const move = (items) => items.splice(to, 0, ...items.splice(from, 1));
  return list(text, path, move, (node) => {
    if (!(from in node.items) || !(to in node.items)) return null;
    const places = chunks(text, node);
    const contents = places.map((it) => text.slice(it.from, it.to));
    move(contents);
    let result = text;
    for (let at = places.length - 1; at >= 0; at--) result = cut(result, places[at].from, places[at].to, contents[at]);
    return result;
  });
}

/** A text as a YAML scalar that helm reads as this text; without quotation marks where it needs none. */
export function quote(word) {
  const plain = /^[A-Za-z_./][\w./@%+=~-]*( [\w./@%+=~-]+)*$/.test(word) && !/^[.\d+-]/.test(word);
  const isWord = /^(y|yes|n|no|true|false|on|off|null|nan|inf)$/i.test(word);
  return plain && !isWord ? word : JSON.stringify(word);
}

// ---- writing ------------------------------------------------------------------------------------------------------

/** The value's lines below a key or behind a dash, of which the first one has its indentation already. */
function below(value, column, newline) {
  const inset = ' '.repeat(column);
  return value.split(/\r?\n/).map((line, at) => (at === 0 || line === '' ? line : inset + line)).join(newline);
}

function readValue(value) {
  const document = read(value);
  return document.contents === null ? null : JSON.parse(plain(document.contents, document));
}

/** Behind `key:`, which begins at `column`; in the place of the block `old`. */
function behind(value, column, step, newline, old) {
  const { contents } = read(value);
  if ((contents && isBlock(contents)) || /^\s*#/.test(value)) {
    const at = old && isMap(old.node) === isMap(contents) ? old.column : column + step;
    return newline + ' '.repeat(at) + below(value, at, newline);
  }
  const isText = contents && isScalar(contents) && /^BLOCK/.test(contents.type);
  return ` ${below(value, isText ? column : column + step, newline)}`;
}

/** In one line, for `{…}` and `[…]`. */
function flow(value) {
  const { contents } = read(value);
  const write = (node) => {
    if (isMap(node)) return `{${node.items.map(({ key, value }) => `${write(key)}: ${write(value)}`).join(', ')}}`;
    if (isSeq(node)) return `[${node.items.map(write).join(', ')}]`;
    if (isNothing(node)) return 'null';
    const source = value.slice(node.range[0], node.range[1]);
    const fits = !/[\r\n#]/.test(source) && (node.type !== 'PLAIN' || !/[,[\]{}]|:($| )/.test(source));
    return fits ? source : JSON.stringify(String(node.value));
  };
  return contents === null ? 'null' : write(contents);
}

/** Mappings around a value, for the keys that are not there yet. */
function nested(path, value) {
  return path.reduceRight((inner, key) => {
    if (typeof key === 'number') return `- ${below(inner, 2, '\n')}`;
    return `${quote(key)}:${behind(inner, 0, 2, '\n')}`;
  }, value);
}

/** How deep the text indents. */
function stepOf(document) {
  let step = 0;
  visit(document, {
    Pair: (_, pair) => {
      const column = pair.srcToken?.value?.indent;
      if (pair.value && isMap(pair.value) && !pair.value.flow && pair.key.range && column !== undefined) {
        step = pair.value.srcToken.indent - (pair.srcToken.sep?.[0]?.indent ?? 0);
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return step > 0 && step <= 8 ? step : 2;
}

function place(text, document, path, value) {
  const newline = eol(text);
  const step = stepOf(document);
  let node = document.contents;
  if (path.length === 0) return null;
  if (isNothing(node)) return append(text, nested(path, value), newline);
  if (isMap(node) && node.flow && node.items.length === 0) {
    return cut(text, start(node), node.range[1], below(nested(path, value), 0, newline));
  }
  for (const [depth, part] of path.entries()) {
    const rest = path.slice(depth + 1);
    if (isMap(node)) {
      const pair = pairOf(node, part);
      if (!pair) return addPair(text, node, nested(path.slice(depth), value), newline);
      if (goesOn(pair.value, rest)) node = pair.value;
      else return putPair(text, node, pair, worth(text, document, pair.value, rest, value), step, newline);
    } else {
      const index = Number(part);
      if (index > node.items.length) return null;
      if (index === node.items.length) return addItem(text, node, nested(rest, value), newline);
      if (goesOn(node.items[index], rest)) node = node.items[index];
      else return putItem(text, node, index, worth(text, document, node.items[index], rest, value), newline);
    }
  }
  return null;
}

/** Whether the rest of a path is to be looked for inside a node. */
function goesOn(node, rest) {
  if (rest.length === 0 || !(isMap(node) || isSeq(node))) return false;
  return isMap(node) === (typeof rest[0] !== 'number') && node.items.length > 0;
}

/** What a node becomes: an alias gives way to a copy of what it stands for. */
function worth(text, document, node, rest, value) {
  if (rest.length === 0) return value;
  if (isAlias(node)) {
    const source = node.resolve(document);
    if (source && goesOn(source, rest)) return set(told(text, source), rest, value);
  }
  return nested(rest, value);
}

function append(text, lines, newline) {
  const before = text === '' || text.endsWith('\n') ? text : text + newline;
  return before + lines.split('\n').join(newline) + newline;
}

function putPair(text, map, pair, value, step, newline) {
  if (value === null) return null;
  if (map.flow || (pair.srcToken.sep ?? []).length === 0) {
    if (!isNothing(pair.value)) return cut(text, start(pair.value), pair.value.range[1], flow(value));
    const at = pairEnd(text, pair);
    return cut(text, at, at, (pair.srcToken.sep ?? []).length > 0 ? ` ${flow(value)}` : `: ${flow(value)}`);
  }
  const signs = signEnd(pair.srcToken.sep);
  const column = columnOf(text, pairStart(pair));
  const old = pair.value && isBlock(pair.value) ? { node: pair.value, column: columnOf(text, start(pair.value)) } : undefined;
  const written = behind(value, column, step, newline, old);
  const ends = pairEnd(text, pair);
  const between = isNothing(pair.value) ? '' : text.slice(signs, start(pair.value));
  // A comment between the key and the value stays where it is.
  if (between.includes('#')) {
    return cut(text, start(pair.value), ends, below(value, columnOf(text, start(pair.value)), newline));
  }
  // A comment behind the old value on its line would stand inside a new one of several lines.
  const comment = /^[ \t]+#[^\r\n]*/.exec(text.slice(ends))?.[0];
  const isInline = isNothing(pair.value) || !isBlock(pair.value);
  if (comment && written.startsWith(newline) && isInline) return cut(text, signs, ends + comment.length, comment + written);
  if (comment && written.includes(newline) && isInline) return null;
  return cut(text, signs, ends, written);
}

function addPair(text, map, lines, newline) {
  if (map.flow) {
    const inner = flow(lines).slice(1, -1);
    const last = map.items.at(-1);
    if (!last) return cut(text, start(map) + 1, map.range[1] - 1, inner);
    const at = isNothing(last.value) ? pairEnd(text, last) : last.value.range[1];
    return cut(text, at, at, `, ${inner}`);
  }
  const column = columnOf(text, pairStart(map.items[0]));
  const at = lineEnd(text, end(text, map));
  return cut(text, at, at, newline + ' '.repeat(column) + below(lines, column, newline));
}

function putItem(text, seq, index, value, newline) {
  if (value === null) return null;
  const item = seq.items[index];
  if (seq.flow) return cut(text, start(item), item.range[1], flow(value));
  const column = columnOf(text, dash(seq, index));
  const signs = signEnd(seq.srcToken.items[index].start);
  return cut(text, signs, itemEnd(text, seq, index), ` ${below(value, column + 2, newline)}`);
}

function addItem(text, seq, value, newline) {
  if (seq.flow) {
    const last = seq.items.at(-1);
    if (!last) return cut(text, start(seq) + 1, seq.range[1] - 1, flow(value));
    return cut(text, last.range[1], last.range[1], `, ${flow(value)}`);
  }
  const column = columnOf(text, dash(seq, 0));
  const at = lineEnd(text, end(text, seq));
  return cut(text, at, at, `${newline}${' '.repeat(column)}- ${below(value, column + 2, newline)}`);
}

function takeOut(text, document, path) {
  const parent = path.length > 1 ? reach(document, path.slice(0, -1)) : document.contents;
  const part = path.at(-1);
  if (!isMap(parent) && !isSeq(parent)) return text;
  const index = isMap(parent) ? parent.items.indexOf(pairOf(parent, part)) : Number(part);
  if (!(index in parent.items)) return text;
  if (parent.flow) return takeFromFlow(text, parent, index);
  const isOnly = parent.items.length === 1;
  const from = isMap(parent) ? pairStart(parent.items[index]) : dash(parent, index);
  const to = isMap(parent) ? pairEnd(text, parent.items[index]) : itemEnd(text, parent, index);
  if (isOnly && path.length > 1) return place(text, document, path.slice(0, -1), isMap(parent) ? '{}' : '[]');
  const before = text.slice(lineStart(text, from), from);
  const lineTo = lineEnd(text, to);
  const next = text.startsWith('\r\n', lineTo) ? lineTo + 2 : Math.min(lineTo + 1, text.length);
  if (before.trim() === '') return cut(text, lineStart(text, from), next, '');
  // It stands behind a dash, and what comes next takes its place.
  const following = /^ */.exec(text.slice(next))[0].length;
  return cut(text, from, next + following, '');
}

/** The node at a path that is written there itself. */
function reach(document, path) {
  return path.reduce((node, part) => (isMap(node) ? pairOf(node, part)?.value : isSeq(node) ? node.items[Number(part)] : undefined), document.contents);
}

function takeFromFlow(text, parent, index) {
  const bounds = (at) => {
    const item = parent.items[at];
    return isMap(parent) ? [pairStart(item), pairEnd(text, item)] : [start(item), item.range[1]];
  };
  const [from, to] = bounds(index);
  if (index + 1 < parent.items.length) return cut(text, from, bounds(index + 1)[0], '');
  return index > 0 ? cut(text, bounds(index - 1)[1], to, '') : cut(text, from, to, '');
}

// ---- doing it, and looking whether it was done --------------------------------------------------------------------

function change(text, path, value, edit) {
  try {
    const document = read(text);
    const expected = document.contents === null ? {} : JSON.parse(plain(document.contents, document));
    const result = edit(document);
    if (result === null || result === undefined) return null;
    if (value === undefined) drop(expected, path);
    else if (!put(expected, path, readValue(value))) return null;
    return matches(result, expected) ? result : null;
  } catch {
    return null;
  }
}

function list(text, path, alter, edit) {
  try {
    const document = read(text);
    const node = reach(document, path);
    if (!isSeq(node)) return null;
    const expected = JSON.parse(plain(document.contents, document));
    const result = edit(node, document);
    if (result === null) return null;
    alter(path.reduce((at, part) => at[part], expected));
    return matches(result, expected) ? result : null;
  } catch {
    return null;
  }
}

function matches(text, expected) {
  const document = read(text);
  return sorted(JSON.parse(plain(document.contents, document)) ?? {}) === sorted(expected);
}

const sorted = (value) =>
  JSON.stringify(value, (_, it) =>
    it && typeof it === 'object' && !Array.isArray(it) ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1))) : it,
  );

function put(values, path, value) {
  const last = path.at(-1);
  let at = values;
  for (const [depth, part] of path.slice(0, -1).entries()) {
    const holds = typeof path[depth + 1] === 'number' ? Array.isArray(at[part]) : at[part] && typeof at[part] === 'object' && !Array.isArray(at[part]) && !isNumber(at[part]);
    if (!holds) at[part] = typeof path[depth + 1] === 'number' ? [] : {};
    at = at[part];
  }
  at[last] = value;
  return true;
}

/** How [`plain`] writes a whole number. */
const isNumber = (it) => Object.keys(it).length === 1 && ('int' in it || 'number' in it) && typeof Object.values(it)[0] === 'string';

function drop(values, path) {
  const parent = path.slice(0, -1).reduce((at, part) => at?.[part], values);
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1);
  else if (parent && typeof parent === 'object') delete parent[path.at(-1)];
}
