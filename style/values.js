// What the editor knows about helm's values. Helm reads YAML 1.1, lays maps over each other key by key and replaces lists.
import { LineCounter, YAMLMap, isAlias, isMap, parseDocument, visit } from 'yaml';
import { OPTIONS } from './read.js';

function parse(text) {
  const document = parseDocument(text, OPTIONS);
  if (document.errors.length > 0) throw document.errors[0];
  return document;
}

/**
 * What of `text` differs from `base`: laid over `base` it gives `text`. A key that `text` does not have is not in it, as
 * for helm, which takes the chart's own value then. Null if it cannot be told.
 */
export function overlay(base, text) {
  try {
    const [from, to] = [parse(base), parse(text)];
    if (to.contents === null) return '';
    // An alias means something only beside its anchor, which may not be in the difference.
    if (!isMap(to.contents) || !(from.contents === null || isMap(from.contents)) || hasAlias(to)) return null;
    const changes = difference(from.contents ?? new YAMLMap(), to.contents, from, to);
    if (!changes) return '';
    to.contents = changes;
    to.commentBefore = to.comment = null;
    return to.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

/** `base` with the values of `changes` put in their places; its comments and its order stay. Null if it cannot be done. */
export function merge(base, changes) {
  try {
    const [into, from] = [parse(base), parse(changes)];
    if (into.contents === null || from.contents === null) return from.contents === null ? base : changes;
    put(into, from.contents, []);
    return into.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

/** The first syntax error, `{line, message}`; null if there is none. */
export function problem(text) {
  const lineCounter = new LineCounter();
  const [error] = parseDocument(text, { ...OPTIONS, lineCounter, prettyErrors: false }).errors;
  return error ? { line: lineCounter.linePos(error.pos[0]).line, message: error.message } : null;
}

function hasAlias(document) {
  let found = false;
  visit(document, { Alias: () => ((found = true), visit.BREAK) });
  return found;
}

function difference(base, map, from, to) {
  const changes = new YAMLMap();
  for (const pair of map.items) {
    const [before, now] = [base.get(pair.key, true), pair.value];
    if (before !== undefined && isMap(before) && isMap(now)) {
      const inner = difference(before, now, from, to);
      if (inner) changes.add(to.createPair(pair.key, inner));
    } else if (before === undefined || !same(plain(before, from), plain(now, to))) {
      changes.add(pair);
    }
  }
  return changes.items.length > 0 ? changes : null;
}

const plain = (node, document) => (node?.toJS ? node.toJS(document) : node);

// JSON has no numbers beyond 2^53; helm's values do.
const same = (a, b) => text(a) === text(b);
const text = (value) => JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? `int ${it}` : it)) ?? 'null';

function put(document, map, path) {
  for (const { key, value } of map.items) {
    const at = [...path, key.value ?? key];
    if (isMap(value) && isMap(document.getIn(at, true))) put(document, value, at);
    else document.setIn(at, isAlias(value) ? value.resolve(document) : value);
  }
}
