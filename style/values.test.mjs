import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merge, overlay, problem } from './values.js';

const BASE = `# How many pods.
replicas: 2
image:
  repository: nginx
  tag: "1.27"
ports: [80, 81]
`;

test('an unchanged text differs in nothing', () => {
  assert.equal(overlay(BASE, BASE), '');
  assert.equal(overlay(BASE, `${BASE}# a remark\n`), '');
});

test('only what was changed is told', () => {
  assert.equal(overlay(BASE, BASE.replace('1.27', '1.28')), 'image:\n  tag: "1.28"\n');
  assert.equal(overlay(BASE, `${BASE}extra: true\n`), 'extra: true\n');
});

test('a list is told as a whole, as helm takes it', () => {
  assert.equal(overlay(BASE, BASE.replace('81', '82')).trim(), 'ports: [ 80, 82 ]');
});

test('a line that was taken out leaves the default in place, as for helm', () => {
  assert.equal(overlay(BASE, BASE.replace('replicas: 2\n', '')), '');
});

test('numbers and words keep their kind', () => {
  assert.equal(overlay('big: 1\n', 'big: 12345678901234567890\n'), 'big: 12345678901234567890\n');
  assert.equal(overlay('tag: "1"\n', 'tag: 1\n'), 'tag: 1\n');
  assert.equal(overlay('on: "yes"\n', 'on: "no"\n'), 'on: "no"\n');
  assert.equal(overlay('a: 1\n', 'a: null\n'), 'a: null\n');
});

test('what cannot be taken apart is not guessed', () => {
  for (const text of ['a: [', '- a\n- b\n', 'a: &x 1\nb: *x\n', 'a: 1\na: 2\n']) assert.equal(overlay(BASE, text), null, text);
});

test('changes are put into another text without losing its comments', () => {
  const newer = BASE.replace('"1.27"', '"1.30"').replace('replicas: 2', 'replicas: 1');
  const merged = merge(newer, 'image:\n  tag: "1.28"\nextra:\n  on: true\n');
  assert.match(merged, /# How many pods\.\nreplicas: 1\nimage:\n {2}repository: nginx\n {2}tag: "1\.28"/);
  assert.match(merged, /extra:\n {2}on: true/);
});

test('merged changes are the difference again', () => {
  const changes = overlay(BASE, BASE.replace('1.27', '1.28'));
  assert.equal(overlay(BASE, merge(BASE, changes)), changes);
});

test('the first error is told with its line', () => {
  assert.equal(problem(BASE), null);
  assert.equal(problem('a: 1\nb: c: d\n').line, 2);
});
