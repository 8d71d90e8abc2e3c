// Reads YAML as helm does: 1.1, but without its times and its numbers to the base of 60, which go-yaml leaves as texts.
import { isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';

export const OPTIONS = {
  version: '1.1',
  intAsBigInt: true,
  merge: true,
  customTags: (tags) => tags.filter(({ format, tag }) => format !== 'TIME' && !tag?.endsWith(':timestamp')),
};

/** The texts that were read last: a form asks many things of one. */
const known = new Map();
const KNOWN_MAX = 4;

/**
 * A document, with where everything is; an error if it is none. Of a key that is there twice the last one counts. Nobody changes
 * it: others are given the same one.
 */
export function read(text) {
  const document = known.get(text) ?? parseDocument(text, { ...OPTIONS, uniqueKeys: false, keepSourceTokens: true });
  known.delete(text);
  known.set(text, document);
  if (known.size > KNOWN_MAX) known.delete(known.keys().next().value);
  if (document.errors.length > 0) throw document.errors[0];
  return document;
}

/** A value as JSON, so that two can be compared: whole numbers stay exact, whatever their size. */
export const plain = (node, document) =>
  JSON.stringify(node?.toJS ? node.toJS(document) : (node ?? null), (_, it) => {
    if (typeof it === 'bigint') return { int: String(it) };
    return typeof it === 'number' && !Number.isFinite(it) ? { number: String(it) } : it;
  });

/** What a key is called; the parser has a symbol for `<<`. */
export const name = (key) => (isScalar(key) ? (typeof key.value === 'symbol' ? '<<' : String(key.value ?? '')) : String(key));

/** The pair of a key. */
export const pairOf = (map, key) => map.items.findLast((pair) => name(pair.key) === String(key));

/** The node at a path, past aliases and merges; undefined if there is none. */
export function follow(document, path) {
  let node = document.contents ?? undefined;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) node = member(document, node, part);
    else node = isSeq(node) ? node.items[Number(part)] : undefined;
    if (node === undefined) return undefined;
  }
  return node;
}

// A merge takes the place of what stands before it, as in go-yaml, and of several mappings the first one counts.
function member(document, map, key) {
  let found;
  for (const pair of map.items) {
    if (name(pair.key) === String(key)) found = pair.value ?? null;
    else if (name(pair.key) === '<<') {
      const from = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
      for (const item of isSeq(from) ? [...from.items].reverse() : [from]) {
        const source = isAlias(item) ? item.resolve(document) : item;
        found = (isMap(source) ? member(document, source, key) : undefined) ?? found;
      }
    }
  }
  return found;
}
