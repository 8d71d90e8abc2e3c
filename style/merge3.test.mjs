import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merge3, review } from './merge3.js';
import { plain, read } from './read.js';

const OLD = `# How many.
replicas: 1
image:
  repository: nginx
  tag: "1.27"
resources: {}
ports: [80]
legacy:
  enabled: false
`;
const NEW = `# How many pods.
replicas: 2
image:
  registry: docker.io
  repository: nginx
  tag: "1.28"
resources: {}
ports: [80, 443]
metrics:
  enabled: false
`;

const value = (text) => {
  const document = read(text);
  return JSON.parse(plain(document.contents, document));
};

test('what the user left alone becomes the new version’s', () => {
  assert.deepEqual(merge3(OLD, NEW, OLD), { text: NEW, notes: [] });
  assert.deepEqual(merge3(OLD, NEW, ''), { text: NEW, notes: [] });
});

test('what the user changed stays, with what they wrote beside it', () => {
  const users = OLD.replace('resources: {}', 'resources:\n  # Enough for the night.\n  cpu: 0123');
  const { text, notes } = merge3(OLD, NEW, users);
  assert.ok(text.includes('resources:\n  # Enough for the night.\n  cpu: 0123\n'), text);
  assert.ok(text.startsWith('# How many pods.\nreplicas: 2\nimage:\n  registry: docker.io\n'), text);
  assert.deepEqual(notes, []);
});

test('what both changed stays the user’s, and is told', () => {
  const users = OLD.replace('"1.27"', '"1.27.3"').replace('[80]', '[8080]').replace('replicas: 1', 'replicas: 2');
  const { text, notes } = merge3(OLD, NEW, users);
  assert.ok(text.includes('tag: "1.27.3"') && text.includes('ports: [8080]') && text.includes('registry: docker.io'), text);
  assert.deepEqual(notes, [
    { path: ['image', 'tag'], kind: 'conflict', old: '"1.27"', now: '"1.28"', user: '"1.27.3"' },
    { path: ['ports'], kind: 'conflict', old: '[80]', now: '[80, 443]', user: '[8080]' },
  ]);
});

test('what the chart no longer has is kept, and is told', () => {
  const users = OLD.replace('enabled: false', 'enabled: true');
  const { text, notes } = merge3(OLD, NEW, users);
  assert.ok(text.endsWith('metrics:\n  enabled: false\nlegacy:\n  enabled: true\n'), text);
  assert.deepEqual(notes, [{ path: ['legacy', 'enabled'], kind: 'gone', old: 'false', now: null, user: 'true' }]);
});

test('changes alone can be looked at', () => {
  assert.deepEqual(review(OLD, NEW, 'image:\n  tag: "1.27.3"\nown: 1\n'), [
    { path: ['image', 'tag'], kind: 'conflict', old: '"1.27"', now: '"1.28"', user: '"1.27.3"' },
  ]);
  assert.deepEqual(review(OLD, NEW, 'resources:\n  cpu: 1\n'), []);
});

test('a null, a long number and a spelling are kept', () => {
  const users = `${OLD.replace('replicas: 1', 'replicas: null')}big: 9007199254740993\npower: "1e3"\n`;
  const { text } = merge3(OLD, NEW, users);
  assert.ok(text.includes('replicas: null') && text.includes('big: 9007199254740993') && text.includes('power: "1e3"'), text);
});

test('what cannot be read is not guessed', () => {
  assert.equal(merge3(OLD, NEW, 'a: ['), null);
  assert.equal(merge3('a: [', NEW, OLD), null);
  assert.equal(merge3(OLD, NEW, '- 1\n'), null);
  assert.equal(review(OLD, NEW, '- 1\n'), null);
});

test('whatever was changed on both sides, the user’s changes win and nothing else is lost', () => {
  const random = (seed) => () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const old = {};
    for (let key = 0; key < 12; key++) old[`k${key}`] = key % 3 === 0 ? { a: key, b: { c: key } } : key;
    const alter = (values) =>
      Object.fromEntries(
        Object.entries(values)
          .filter(() => next() > 0.1)
          .map(([key, it]) => [key, typeof it === 'object' ? alter(it) : next() < 0.3 ? Math.floor(next() * 100) : it])
          .concat(next() < 0.3 ? [[`n${Math.floor(next() * 5)}`, Math.floor(next() * 9)]] : []),
      );
    const [now, users] = [alter(old), alter(old)];
    const write = (values, inset = '') =>
      Object.entries(values)
        .map(([key, it]) => `${inset}${key}:${typeof it === 'object' ? (Object.keys(it).length ? `\n${write(it, `${inset}  `)}` : ' {}\n') : ` ${it} # ${key}\n`}`)
        .join('');
    const expect = (was, now, user) => {
      const result = structuredClone(now);
      for (const [key, it] of Object.entries(user)) {
        const [a, b] = [was?.[key], result[key]];
        const isMap = typeof it === 'object' && Object.keys(it).length > 0;
        if (isMap && (typeof a === 'object' || (a === undefined && typeof b === 'object'))) {
          const inner = expect(a, typeof b === 'object' ? b : {}, it);
          if (Object.keys(inner).length > 0 || typeof b === 'object') result[key] = inner;
        } else if (JSON.stringify(a) !== JSON.stringify(it)) result[key] = it;
      }
      return result;
    };
    const merged = merge3(write(old), write(now) || '{}', write(users));
    assert.ok(merged, `${seed}`);
    const ordered = (it) => JSON.stringify(it, (_, v) => (v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).sort()) : v));
    assert.equal(ordered(value(merged.text) ?? {}), ordered(value(write(expect(old, now, users))) ?? {}), `${seed}\n${write(old)}\n--\n${write(now)}\n--\n${write(users)}\n=>\n${merged.text}`);
  }
});
