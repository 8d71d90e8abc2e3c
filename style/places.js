// Where the parts of a YAML text are: offsets of what the parser found, without the comments and line breaks around it.
import { isMap, isScalar, isSeq } from 'yaml';

export const lineStart = (text, at) => text.lastIndexOf('\n', at - 1) + 1;
export const columnOf = (text, at) => at - lineStart(text, at);
export const indentOf = (text, at) => /^ */.exec(text.slice(lineStart(text, at)))[0].length;
export const eol = (text) => (text.includes('\r\n') ? '\r\n' : '\n');
export const cut = (text, from, to, by) => text.slice(0, from) + by + text.slice(to);
export const start = (node) => node.range[0];
export const isBlock = (node) => (isMap(node) || isSeq(node)) && !node.flow;
export const dash = (seq, index) => seq.srcToken.items[index].start.find((token) => token.type === 'seq-item-ind').offset;

export function lineEnd(text, at) {
  const found = text.indexOf('\n', at);
  if (found < 0) return text.length;
  return text[found - 1] === '\r' ? found - 1 : found;
}

/** Where a value ends, without the comment or the line break behind it. */
export function end(text, node) {
  if (isBlock(node)) {
    const at = node.items.length - 1;
    return isMap(node) ? pairEnd(text, node.items[at]) : itemEnd(text, node, at);
  }
  if (isScalar(node) && /^BLOCK/.test(node.type)) {
    const keeps = /^[|>]\S*\+/.test(text.slice(start(node)));
    const whole = text.slice(0, node.range[1]);
    return keeps ? whole.replace(/\r?\n$/, '').length : whole.replace(/\s+$/, '').length;
  }
  return node.range[1];
}

/** Where the sign, the anchor and the tag before a value end. */
export function signEnd(tokens) {
  const token = tokens.findLast(({ type }) => !['space', 'newline', 'comment'].includes(type));
  return token ? token.offset + token.source.length : undefined;
}

export const isNothing = (node) => !node || (isScalar(node) && node.range[0] === node.range[1]);

export function pairEnd(text, pair) {
  if (!isNothing(pair.value)) return end(text, pair.value);
  return signEnd(pair.srcToken.sep ?? []) ?? pair.key.range[1];
}

export function itemEnd(text, seq, index) {
  const item = seq.items[index];
  return isNothing(item) ? signEnd(seq.srcToken.items[index].start) : end(text, item);
}

/** Where a pair begins: at its `?`, its anchor, its key. */
export const pairStart = (pair) => pair.srcToken.start.find(({ type }) => !['space', 'newline', 'comment', 'comma'].includes(type))?.offset ?? pair.key.range[0];

/** The items of a list with the comments right above them. */
export function chunks(text, seq) {
  if (seq.flow) return seq.items.map((item) => ({ from: start(item), to: item.range[1] }));
  return seq.items.map((_, index) => {
    const ends = itemEnd(text, seq, index);
    let from = dash(seq, index);
    const column = columnOf(text, from);
    // The first item may stand behind another sign.
    const isFirst = text.slice(lineStart(text, from), from).trim() === '';
    while (isFirst && from - column > 0) {
      const above = lineStart(text, from - column - 1);
      const line = text.slice(above, from - column - 1);
      if (!line.trimStart().startsWith('#') || line.length - line.trimStart().length !== column) break;
      if (index === 0) break;
      from = above + column;
    }
    // A comment behind it on its last line is its own.
    const behind = /^[ \t]+#[^\r\n]*/.exec(text.slice(ends));
    return { from, to: ends + (behind ? behind[0].length : 0) };
  });
}

/** A node as a text of its own. */
export function told(text, node) {
  if (isNothing(node)) return 'null';
  const from = start(node);
  const [first, ...rest] = text.slice(from, end(text, node)).split(/\r?\n/);
  if (rest.length === 0) return first;
  const isText = isScalar(node) && /^BLOCK/.test(node.type);
  // The lines of a block text begin where its first one does, unless its sign says where.
  const deep = rest.find((line) => line.trim() !== '') ?? '';
  const inset = isText ? (/\d/.test(first) ? indentOf(text, from) : deep.length - deep.trimStart().length) : columnOf(text, from);
  const less = new RegExp(`^ {0,${inset}}`);
  const own = isText && !/\d/.test(first) ? '  ' : '';
  const line = (it) => (own && it.trim() === '' ? it.replace(less, '') : own + it.replace(less, ''));
  return [first, ...rest.map((it) => (isScalar(node) && !isText ? `  ${it.trimStart()}` : line(it)))].join('\n');
}
