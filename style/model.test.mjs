import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginning, bounds, fieldsOf, inferred, isSame, look, number, resolve, search, shapeOf, shown, variantOf, wordsOf, written } from './model.js';
import { get, set } from './edit.js';

const FORM = {
  root: {
    kind: 'object',
    fields: [
      { key: 'replicas', kind: 'integer', title: 'Replicas', default: '1' },
      { key: 'owner', kind: 'object', fields: [{ key: 'team', kind: 'text', required: true, description: 'Who is called.' }, { key: 'level', kind: 'choice', choices: [{ value: '"low"' }, { value: '"high"' }], required: true }] },
      { key: 'tree', kind: 'defined', definition: 0, title: 'A tree' },
      { key: 'store', kind: 'variants', variants: [{ kind: 'object', required: true, fields: [{ key: 'disk', kind: 'text', required: true }] }, { kind: 'object', closed: true, fields: [{ key: 'memory', kind: 'boolean' }] }, { kind: 'text' }] },
    ],
  },
  definitions: [{ kind: 'object', fields: [{ key: 'leaf', kind: 'text' }, { key: 'inner', kind: 'defined', definition: 0 }] }],
};
const field = (key) => FORM.root.fields.find((it) => it.key === key);

test('a field that can hold itself is what its definition says, under its own title', () => {
  const tree = resolve(FORM, field('tree'));
  assert.equal(tree.kind, 'object');
  assert.equal(tree.title, 'A tree');
  assert.equal(resolve(FORM, { kind: 'defined', definition: 7 }).kind, 'raw');
});

test('what a value is, is told as helm reads it', () => {
  const text = 'a: 0123\nb: 9007199254740993\nc: "1e3"\nd: 1e3\ne: yes\nf: ~\ng: [1]\nh: {}\ni: &x 1\nj: *x\nk:\n';
  for (const [key, shape] of Object.entries({ a: 'integer', b: 'integer', c: 'text', d: 'number', e: 'boolean', f: 'null', g: 'array', h: 'object', j: 'alias', k: 'null', none: 'nothing' })) assert.equal(look(text, [key]).shape, shape, key);
});

test('a number is shown as it is written, and a text by its words', () => {
  const text = "a: 0123\nb: 9007199254740993\nc: '1e3'\nd: |\n  one\n  two\n";
  const words = (key) => wordsOf(look(text, [key]));
  assert.deepEqual(['a', 'b', 'c', 'd', 'none'].map(words), ['0123', '9007199254740993', '1e3', 'one\ntwo\n', '']);
});

test('a value that does not fit its field is shown as it is written', () => {
  assert.equal(shown({ kind: 'boolean' }, 'text'), 'raw');
  assert.equal(shown({ kind: 'object' }, 'array'), 'raw');
  assert.equal(shown({ kind: 'integer' }, 'text'), 'integer');
  assert.equal(shown({ kind: 'text' }, 'alias'), 'raw');
  assert.equal(shown({ kind: 'array' }, 'nothing'), 'array');
});

test('words are written so that they come back', () => {
  for (const words of ['', 'plain', '1e3', 'yes', '# no', 'a: b', 'one\ntwo', 'one\ntwo\n', 'one\n\ntwo\n', ' led\nby a space', 'a\n\n', 'tab\there\n', 'ü\n"x"\n', '\n', 'trailing \nspace']) {
    const text = set('a: 1 # kept\nb: 2\n', ['b'], written(words));
    assert.notEqual(text, null, JSON.stringify(words));
    assert.equal(wordsOf(look(text, ['b'])), words, JSON.stringify(words));
    assert.match(text, /^a: 1 # kept\n/);
  }
});

test('a number is written as it was typed, and what is none is a text', () => {
  assert.deepEqual(['1', '9007199254740993', '0123', '-1.5', '1e3', 'many', '1 # 2', '[1]', ''].map(number), ['1', '9007199254740993', '0123', '-1.5', '1e3', 'many', '"1 # 2"', '"[1]"', '""']);
});

test('values are compared as values', () => {
  assert.ok(isSame('"a"', 'a'));
  assert.ok(isSame('{a: 1}', 'a: 1'));
  assert.ok(!isSame('"1"', '1'));
  assert.ok(!isSame('9007199254740993', '9007199254740992'));
});

test('what a value has besides is a field as well', () => {
  const { node } = look('replicas: 1\nextra: {a: x}\nlist: [1, 2]\nmixed: [1, a]\n', []);
  const others = fieldsOf(FORM, FORM.root, node).filter(({ isOther }) => isOther);
  assert.deepEqual(others.map(({ key, kind, item }) => [key, kind, item?.kind]), [['extra', 'object', undefined], ['list', 'array', 'integer'], ['mixed', 'array', 'raw']]);
  assert.equal(inferred('x', null).kind, 'text');
  assert.equal(shapeOf(undefined), 'nothing');
});

test('which of several things a value is, is told by what it has', () => {
  const which = (text) => variantOf(FORM, field('store'), look(text, ['store']).node);
  assert.equal(which('store:\n  disk: x\n'), 0);
  assert.equal(which('store:\n  memory: true\n'), 1);
  assert.equal(which('store: a word\n'), 2);
  assert.equal(which('other: 1\n'), 0);
});

test('what is added has what it must have', () => {
  assert.equal(beginning(FORM, field('owner')), 'team: ""\nlevel: "low"');
  assert.equal(beginning(FORM, field('replicas')), '1');
  assert.equal(beginning(FORM, { kind: 'array' }), '[]');
  const text = set('list: []\n', ['list', 0], beginning(FORM, field('owner')));
  assert.equal(get(text, ['list', 0, 'level']), '"low"');
});

test('fields are found by name, title and description', () => {
  const found = (words) => search(FORM, words).map(({ path }) => path.join('.'));
  assert.deepEqual(found('CALLED'), ['owner.team']);
  assert.deepEqual(found('owner lev'), ['owner.level']);
  assert.deepEqual(found('replicas'), ['replicas']);
  assert.ok(found('leaf').length >= 1 && found('leaf').length < 20);
});

test('bounds are said in words', () => {
  assert.deepEqual(bounds({ minimum: '1', maximum: '9' }, 'integer'), [['At least {n}', '1'], ['At most {n}', '9']]);
  assert.deepEqual(bounds({ shortest: 2, longest: 4, unique: true }, 'array').map(([words]) => words), ['At least {n} items', 'At most {n} items', 'No item twice']);
});
