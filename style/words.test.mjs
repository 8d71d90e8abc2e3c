import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { said } from './complete.js';
import { say, words } from './words.js';

const FORM = { root: { kind: 'object', fields: [{ key: 'a', kind: 'integer', required: true, limits: { minimum: '1' } }] } };

function speak(lang, act) {
  globalThis.document = { documentElement: { lang } };
  try {
    return act();
  } finally {
    delete globalThis.document;
  }
}

test('the editor speaks the language of the page, and English where it lacks it', () => {
  const lines = (lang) => speak(lang, () => said(FORM, 'a: 1', 0).lines);
  assert.deepEqual(lines('de'), ['ganze Zahl, erforderlich', 'Mindestens 1']);
  assert.deepEqual(lines('en'), ['whole number, required', 'At least 1']);
  assert.deepEqual(lines('fr'), lines('en'));
  assert.equal(speak('de', () => say('Not in the table {n}', '$&')), 'Not in the table $&');
});

test('the table has all that the editor says', () => {
  const source = readFileSync(new URL('./complete.js', import.meta.url), 'utf8');
  const all = [...source.matchAll(/say\('([^']+)'/g)].map(([, text]) => text);
  const kinds = [...(/const KINDS = \{([^}]*)\}/.exec(source)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, text]) => text);
  assert.ok(all.length > 5 && kinds.length > 5);
  const known = speak('de', words);
  assert.deepEqual([...all, ...kinds].filter((text) => !known[text]), []);
});
