import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsAt, offers, said, where } from './complete.js';

const FORM = {
  root: {
    kind: 'object',
    fields: [
      { key: 'replicas', kind: 'integer', title: 'Replicas', default: '1', limits: { minimum: '1', maximum: '9' } },
      { key: 'level', kind: 'choice', description: 'How much is told.', choices: [{ value: '"info"' }, { value: '"no"' }, { value: '1' }] },
      { key: 'tls', kind: 'object', fields: [{ key: 'enabled', kind: 'boolean', default: 'false' }, { key: 'secret', kind: 'text', required: true }] },
      { key: 'queues', kind: 'array', item: { kind: 'object', fields: [{ key: 'name', kind: 'text' }, { key: 'durable', kind: 'boolean' }] } },
      { key: 'labels', kind: 'object', other: { kind: 'choice', choices: [{ value: '"a"' }] } },
      { key: 'tree', kind: 'defined', definition: 0 },
      { key: 'store', kind: 'variants', variants: [{ kind: 'object', fields: [{ key: 'disk', kind: 'text' }] }, { kind: 'object', fields: [{ key: 'memory', kind: 'text' }] }] },
    ],
  },
  definitions: [{ kind: 'object', fields: [{ key: 'leaf', kind: 'text' }, { key: 'inner', kind: 'defined', definition: 0 }] }],
};

/** What is offered at the `^` of a text. */
const labels = (text) => offers(FORM, text.replace('^', ''), text.indexOf('^'))?.options.map(({ label }) => label) ?? [];

test('the names of the mapping are offered that are not there yet', () => {
  assert.deepEqual(labels('^'), ['replicas', 'level', 'tls', 'queues', 'labels', 'tree', 'store']);
  assert.deepEqual(labels('replicas: 1\nle^\ntls: {}\n'), ['level', 'queues', 'labels', 'tree', 'store']);
  assert.deepEqual(labels('tls:\n  ^\n'), ['enabled', 'secret']);
  assert.deepEqual(labels('tls:\n  enabled: true\n  s^'), ['secret']);
  assert.deepEqual(labels('queues:\n  - ^'), ['name', 'durable']);
  assert.deepEqual(labels('queues:\n- name: x\n  ^'), ['durable']);
  assert.deepEqual(labels('queues:\n- name: x\n- ^'), ['name', 'durable']);
  assert.deepEqual(labels('tree:\n  inner:\n    inner:\n      ^'), ['leaf', 'inner']);
  assert.deepEqual(labels('store:\n  ^'), ['disk', 'memory']);
  assert.deepEqual(labels('labels:\n  ^'), []);
});

test('values are offered where the chart says which', () => {
  assert.deepEqual(labels('level: ^'), ['info', '"no"', '1']);
  assert.deepEqual(labels('level: in^'), ['info', '"no"', '1']);
  assert.deepEqual(labels('tls:\n  enabled: ^'), ['true', 'false']);
  assert.deepEqual(labels('queues:\n- durable: ^'), ['true', 'false']);
  assert.deepEqual(labels('labels:\n  any: ^'), ['a']);
  assert.deepEqual(labels('replicas: ^'), ['1']);
});

test('nothing is offered where nothing can be known', () => {
  for (const text of ['# ^', 'a: |\n  te^', 'level: info # ^', 'tls: {^}', 'unknown:\n  ^', 'level: [^]']) assert.deepEqual(labels(text), [], text);
});

test('a name brings what stands behind it', () => {
  const apply = (text, label) => offers(FORM, text.replace('^', ''), text.indexOf('^')).options.find((it) => it.label === label).apply;
  assert.equal(apply('^', 'replicas'), 'replicas: ');
  assert.equal(apply('^', 'tls'), 'tls:\n  ');
  assert.equal(apply('^', 'queues'), 'queues:\n  - ');
  assert.equal(apply('repl^: 2', 'replicas'), 'replicas');
});

test('what is said of a name and a value is shown', () => {
  assert.deepEqual(said(FORM, 'replicas: 2\n', 3), { from: 0, to: 8, lines: ['Replicas', 'whole number', 'At least 1', 'At most 9', 'Default: 1'] });
  assert.deepEqual(said(FORM, 'level: info\n', 9).lines, ['How much is told.', 'choice', 'One of info, "no", 1']);
  assert.equal(said(FORM, 'other: 1\n', 3), null);
  assert.equal(said(FORM, '', 0), null);
});

test('a path is found by indentation', () => {
  const path = (text) => where(text.replace('^', ''), text.indexOf('^'))?.path;
  assert.deepEqual(path('a:\n  b:\n    - c:\n        d: ^'), ['a', 'b', 0, 'c', 'd']);
  assert.deepEqual(path('a:\n- b: 1\n\n  # x\n  c:\n    ^'), ['a', 0, 'c']);
  assert.deepEqual(path('"a b":\n  - - x: ^'), ['a b', 0, 0, 'x']);
  assert.deepEqual(path('a:\n  url: http://x\n  ^'), ['a']);
  assert.deepEqual(fieldsAt(FORM, ['queues', 0, 'name']).map(({ key }) => key), ['name']);
});
