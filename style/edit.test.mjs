import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, insertItem, moveItem, quote, remove, set } from './edit.js';
import { follow, plain, read } from './read.js';

const TEXT = `# At the top.
replicas: 2   # how many
big: 9007199254740993
octal: 0123
power: 1e3
word: "1e3"
nothing: null
image:
  # Where from.
  repository: nginx
  tag: '1.27'

  # The last one.
  pull: IfNotPresent
script: |
  one
    two

  three
# Of the list.
ports:
- name: http   # plain
  port: 80
# The safe one.
- name: https
  port: 443
flow: {a: 1, b: [x, y]} # inline
empty: {}
`;

/** The lines of `after` without those of `before`, and the other way round. */
function changed(before, after) {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end).join('\n'), b.slice(start, b.length - end).join('\n')];
}

test('a value is told as it is written', () => {
  const told = { replicas: '2', big: '9007199254740993', octal: '0123', power: '1e3', word: '"1e3"', nothing: 'null' };
  for (const [key, value] of Object.entries(told)) assert.equal(get(TEXT, [key]), value);
  assert.equal(get(TEXT, ['script']), '|\n  one\n    two\n\n  three');
  assert.equal(get(TEXT, ['ports', 1]), 'name: https\nport: 443');
  assert.equal(get(TEXT, ['flow', 'b', 1]), 'y');
  assert.equal(get(TEXT, ['image', 'nope']), null);
  assert.equal(get(TEXT, ['replicas', 'nope']), null);
  assert.equal(get('a:\n', ['a']), 'null');
  assert.equal(get('a: [', ['a']), null);
  assert.equal(get('base: &b {x: 1}\nmore:\n  <<: *b\n', ['more', 'x']), '1');
});

test('a value that is set changes its own line alone', () => {
  for (const [path, value, before, after] of [
    [['replicas'], '3', 'replicas: 2   # how many', 'replicas: 3   # how many'],
    [['big'], '"1e3"', 'big: 9007199254740993', 'big: "1e3"'],
    [['word'], '0123', 'word: "1e3"', 'word: 0123'],
    [['image', 'tag'], 'null', "  tag: '1.27'", '  tag: null'],
    [['ports', 0, 'name'], 'web', '- name: http   # plain', '- name: web   # plain'],
    [['ports', 1, 'port'], '444', '  port: 443', '  port: 444'],
    [['flow', 'b', 0], '[p, q]', 'flow: {a: 1, b: [x, y]} # inline', 'flow: {a: 1, b: [[p, q], y]} # inline'],
    [['flow', 'c'], 'd: e', 'flow: {a: 1, b: [x, y]} # inline', 'flow: {a: 1, b: [x, y], c: {d: e}} # inline'],
    [['script'], 'echo', 'script: |\n  one\n    two\n\n  three', 'script: echo'],
    [['empty', 'a', 'b'], '1', 'empty: {}', 'empty:\n  a:\n    b: 1'],
    [['nothing'], '- 1\n- 2', 'nothing: null', 'nothing:\n  - 1\n  - 2'],
    [['octal'], '|\n  a\n  b', 'octal: 0123', 'octal: |\n  a\n  b'],
  ]) {
    assert.deepEqual(changed(TEXT, set(TEXT, path, value)), [before, after], path.join('.'));
  }
});

test('what was not there is added where it belongs', () => {
  assert.deepEqual(changed(TEXT, set(TEXT, ['image', 'secret', 'name'], 's')), ['', '  secret:\n    name: s']);
  assert.deepEqual(changed(TEXT, set(TEXT, ['ports', 2], 'name: x\nport: 1')), ['', '- name: x\n  port: 1']);
  assert.deepEqual(changed(TEXT, set(TEXT, ['ports', 0, 'tls'], 'true')), ['', '  tls: true']);
  assert.ok(set(TEXT, ['new', 'list', 0], 'a').endsWith('empty: {}\nnew:\n  list:\n    - a\n'));
  assert.equal(set('', ['a', 'b'], '1'), 'a:\n  b: 1\n');
  assert.equal(set('# Only this.\n', ['a'], '1'), '# Only this.\na: 1\n');
  assert.equal(set('a: 1', ['b'], '2'), 'a: 1\nb: 2');
  assert.equal(set('{}\n', ['b'], '2'), 'b: 2\n');
  assert.equal(set('a: 1\r\nb: 2\r\n', ['a', 'c'], '3'), 'a:\r\n  c: 3\r\nb: 2\r\n');
  assert.equal(set('a: []\n', ['a', 0], 'x'), 'a:\n  - x\n');
});

test('what is taken out takes nothing else along', () => {
  assert.deepEqual(changed(TEXT, remove(TEXT, ['image', 'tag'])), ["  tag: '1.27'", '']);
  assert.deepEqual(changed(TEXT, remove(TEXT, ['script'])), ['script: |\n  one\n    two\n\n  three', '']);
  assert.deepEqual(changed(TEXT, remove(TEXT, ['ports', 0, 'name'])), ['- name: http   # plain\n  port: 80', '- port: 80']);
  assert.deepEqual(changed(TEXT, remove(TEXT, ['flow', 'a'])), ['flow: {a: 1, b: [x, y]} # inline', 'flow: {b: [x, y]} # inline']);
  assert.equal(remove('a:\n  b: 1\nc: 2\n', ['a', 'b']), 'a: {}\nc: 2\n');
  assert.equal(remove('a:\n- 1\n', ['a', 0]), 'a: []\n');
  assert.equal(remove('# x\na: 1\n', ['a']), '# x\n');
  assert.equal(remove(TEXT, ['nope', 'nope']), TEXT);
});

test('items are moved with what is said of them', () => {
  const moved = moveItem(TEXT, ['ports'], 1, 0);
  assert.ok(moved.includes('ports:\n# The safe one.\n- name: https\n  port: 443\n- name: http   # plain\n  port: 80\nflow:'), moved);
  assert.equal(moveItem('a: [1, 0x10, "2"]\n', ['a'], 2, 0), 'a: ["2", 1, 0x10]\n');
  assert.equal(moveItem(TEXT, ['ports'], 0, 5), null);
  const added = insertItem(TEXT, ['ports'], 1, 'name: x');
  assert.ok(added.includes('  port: 80\n# The safe one.\n') || added.includes('  port: 80\n- name: x\n# The safe one.\n'), added);
  assert.equal(insertItem('a: [1]\n', ['a'], 0, '{b: 2}'), 'a: [{b: 2}, 1]\n');
  assert.equal(insertItem('a: []\n', ['a'], 0, 'x'), 'a:\n  - x\n');
});

test('what others refer to is not changed behind their backs', () => {
  const text = 'a: &x {k: 1}\nb: *x\n';
  assert.equal(set(text, ['b', 'k'], '2'), 'a: &x {k: 1}\nb: {k: 2}\n');
  assert.equal(set('a: &x 1\nb: *x\n', ['a'], '2'), null);
  assert.equal(set('a: &x 1\nb: *x\n', ['b'], '2'), 'a: &x 1\nb: 2\n');
});

test('a text that is broken is left alone', () => {
  for (const text of ['a: [', 'a: b: c', '- 1\n', '--- 1\n--- 2\n']) {
    assert.equal(set(text, ['a', 'b'], '1'), null, text);
    assert.equal(remove(text, ['a']) ?? text, text);
  }
  assert.equal(set(TEXT, ['replicas'], 'a: ['), null);
  assert.equal(set(TEXT, [], '1'), null);
});

test('a word has quotation marks where helm would read something else', () => {
  for (const word of ['nginx', 'a b', 'docker.io/x', '/path', 'A_b-c']) assert.equal(quote(word), word);
  for (const word of ['', '1', '1e3', 'yes', 'N', 'null', '~', '0123', 'a: b', 'a #b', ' a', 'a ', '-x', '*x', '"', '.5', '.inf', '.nan', 'é', '{a}', '<<'])
    assert.equal(quote(word), JSON.stringify(word), word);
});

// ---- whatever the text, and whatever is done to it ----------------------------------------------------------------

function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SCALARS = ['1', '0123', '1e3', '"1e3"', 'null', '~', 'yes', "'it''s'", '9007199254740993', 'word', 'two words', '-1.50', '"# no comment"', '', '[1, {a: b}]', '{}', '[]', '{x: 1, y: [2, 3]}', '|\n  a\n   b\n\n  c', '>-\n  a\n  b'];
const VALUES = [...SCALARS.filter(Boolean), 'a: 1\nb:\n  - 2\n  - c: 3', '- 1\n- x: y', '# said first\n5', '"a\n  b"'];

/** A text with comments, blank lines and odd spelling in it, and a path of every value. */
function make(next) {
  const paths = [];
  const comment = (indent) => (next(4) === 0 ? `${' '.repeat(indent)}# comment ${next(1000)}\n` : next(8) === 0 ? '\n' : '');
  const value = (indent, depth, path) => {
    const kind = depth > 2 ? 0 : next(5);
    if (kind === 3) return `\n${mapping(indent + 2, depth + 1, path)}`;
    if (kind === 4) return `\n${sequence(indent + next(2) * 2, depth + 1, path)}`;
    const scalar = SCALARS[next(SCALARS.length)];
    const behind = next(3) === 0 && !/\n/.test(scalar) ? `${scalar ? ' ' : ''} # behind ${next(1000)}` : '';
    return ` ${scalar.split('\n').join(`\n${' '.repeat(indent)}`)}${behind}\n`;
  };
  const mapping = (indent, depth, path) => {
    let text = '';
    for (let n = 1 + next(4), key = 0; key < n; key++) {
      const at = [...path, `k${key}`];
      paths.push(at);
      text += `${comment(indent)}${' '.repeat(indent)}k${key}:${value(indent, depth, at)}`;
    }
    return text;
  };
  const sequence = (indent, depth, path) => {
    let text = '';
    for (let n = 1 + next(3), item = 0; item < n; item++) {
      const at = [...path, item];
      paths.push(at);
      const inner = next(2) === 0 && depth < 3 ? mapping(indent + 2, depth + 1, at).trimStart().replace(/^(#.*\n\s*|\n\s*)*/, '') : null;
      text += `${comment(indent)}${' '.repeat(indent)}-${inner === null ? value(indent, 3, at) : ` ${inner}`}`;
    }
    return text;
  };
  return { text: mapping(0, 0, []) + comment(0), paths };
}

const comments = (text) => text.match(/(?<=^|\s)# (comment|behind) \d+/gm) ?? [];

test('whatever is set is there, whatever was not touched is as it was', () => {
  let done = 0;
  for (let seed = 1; seed <= 600; seed++) {
    const next = random(seed);
    const { text, paths } = make(next);
    const path = paths[next(paths.length)];
    const value = VALUES[next(VALUES.length)];
    const takesOut = next(4) === 0;
    const result = takesOut ? remove(text, path) : set(text, path, value);
    if (result === null) continue;
    done++;
    for (const other of paths) {
      const touched = other.every((part, at) => at >= path.length || part === path[at]) || (typeof path.at(-1) === 'number' && path.slice(0, -1).every((part, at) => other[at] === part));
      if (touched) continue;
      assert.equal(get(result, other), get(text, other), `${seed}: ${path} → ${other}\n${text}\n=>\n${result}`);
    }
    // Comments outside of what was replaced are all there.
    const lost = comments(text).filter((it) => !result.includes(it));
    const own = comments(takesOut ? changed(text, result)[0] : (get(text, path) ?? ''));
    assert.ok(lost.every((it) => own.includes(it)), `${seed}: ${path} = ${value} loses ${lost}\n${text}\n=>\n${result}`);
  }
  // What is not done is told, and is seldom.
  assert.ok(done > 540, `only ${done} of 600 were done`);
});

test('a value set to what it is leaves every byte as it is', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { text, paths } = make(random(seed));
    for (const path of paths) {
      const node = follow(read(text), path);
      const value = get(text, path);
      if (value === null || plain(node, read(text)) === 'null') continue;
      const result = set(text, path, value);
      if (result !== null && !/[\n]/.test(value)) assert.equal(result, text, `${seed}: ${path} = ${value}`);
    }
  }
});
