// Takes a user's values from one version of a chart to another.
import { isMap } from 'yaml';
import { get, set } from './edit.js';
import { told } from './places.js';
import { follow, name, plain, read } from './read.js';
import { merge } from './values.js';

/** How many lines two texts may differ in before they are no longer compared line by line. */
const DIFFERENCES_MAX = 2000;

/**
 * `{text, notes}`: the new version's defaults with what `users` (the old version's defaults as the user changed them) has
 * other than the old ones. Where both texts allow it line by line, the user's comments come along too. Null if a text cannot
 * be read. The notes are those of `review`.
 */
export function merge3(oldDefaults, newDefaults, users) {
  try {
    const changes = changesOf(oldDefaults, newDefaults, users);
    const text = changes.reduce((text, { path, user, same }) => (same ? text : (set(text, path, user) ?? merge(text, around(path, user)))), newDefaults);
    const lines = mergeLines(oldDefaults, newDefaults, users);
    return { text: lines !== null && isSame(lines, text) ? lines : text, notes: changes.filter(({ kind }) => kind).map(note) };
  } catch {
    return null;
  }
}

/**
 * What a user should look at, `[{path, kind, old, now, user}]`, texts of YAML each: `conflict` where the chart's default has
 * changed as well, `gone` where the chart has no such value any more. `users` may be the changes alone. Null if a text
 * cannot be read.
 */
export function review(oldDefaults, newDefaults, users) {
  try {
    return changesOf(oldDefaults, newDefaults, users).filter(({ kind }) => kind).map(note);
  } catch {
    return null;
  }
}

const note = ({ path, kind, old, now, user }) => ({ path, kind, old, now, user });

/** What the user has other than the old defaults. */
function changesOf(oldDefaults, newDefaults, users) {
  const [before, after, mine] = [oldDefaults, newDefaults, users].map(read);
  const found = [];
  const look = (map, path) => {
    for (const { key, value } of map.items) {
      const at = [...path, name(key)];
      if (name(key) === '<<') continue;
      const [old, now] = [follow(before, at), follow(after, at)];
      if (isMap(value) && value.items.length > 0 && (isMap(old) || (old === undefined && isMap(now)))) look(value, at);
      else if (old === undefined || plain(old, before) !== plain(value, mine)) found.push(change(at, value, old, now));
    }
  };
  const change = (path, value, old, now) => {
    const was = old === undefined ? null : plain(old, before);
    const is = now === undefined ? null : plain(now, after);
    const same = is === plain(value, mine);
    const gone = was !== null && is === null ? 'gone' : null;
    const kind = same ? null : (gone ?? (is !== null && is !== was ? 'conflict' : null));
    return { path, kind, same, user: told(users, value), old: get(oldDefaults, path), now: get(newDefaults, path) };
  };
  if (mine.contents !== null && !isMap(mine.contents)) throw new Error('no mapping');
  if (mine.contents !== null) look(mine.contents, []);
  return found;
}

const around = (path, value) => path.reduceRight((inner, key) => `${JSON.stringify(key)}:\n  ${inner.split('\n').join('\n  ')}\n`, value);

function isSame(a, b) {
  try {
    const [one, other] = [read(a), read(b)];
    const sorted = (document) => JSON.stringify(JSON.parse(plain(document.contents, document)), order);
    return sorted(one) === sorted(other);
  } catch {
    return false;
  }
}

const order = (_, it) => (it && typeof it === 'object' && !Array.isArray(it) ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1))) : it);

/** Both changes in one text; null where they touch the same lines. */
function mergeLines(base, one, other) {
  const lines = base.split('\n');
  const [mine, theirs] = [one, other].map((text) => hunks(lines, text.split('\n')));
  if (!mine || !theirs) return null;
  const both = theirs.filter((it) => !mine.some((known) => isDeepEqual(known, it)));
  const all = [...mine, ...both].sort((a, b) => a.from - b.from || a.to - b.to);
  if (all.some((it, at) => at > 0 && (it.from < all[at - 1].to || it.from === all[at - 1].from))) return null;
  for (const { from, to, by } of all.reverse()) lines.splice(from, to - from, ...by);
  return lines.join('\n');
}

const isDeepEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Which lines of `a` give way to which in `b`. */
function hunks(a, b) {
  const same = matches(a, b);
  if (!same) return null;
  const found = [];
  let [at, other] = [0, 0];
  for (const [from, to] of [...[...same].sort(([x], [y]) => x - y), [a.length, b.length]]) {
    if (from > at || to > other) found.push({ from: at, to: from, by: b.slice(other, to) });
    [at, other] = [from + 1, to + 1];
  }
  return found;
}

/** Which line of `b` each line of `a` is that both have, by Myers' shortest way from one to the other. */
function matches(a, b) {
  const found = new Map();
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) found.set(start, start++);
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) found.set(--endA, --endB);
  const [n, m] = [endA - start, endB - start];
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= n + m; d++) {
    if (d > DIFFERENCES_MAX) return null;
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < n && x - k < m && a[start + x] === b[start + x - k]) x++;
      reach.set(k, x);
      if (x >= n && x - k >= m) return trackBack(trace, n, m, start, found);
    }
  }
  return found;
}

function trackBack(trace, n, m, start, found) {
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0; d--) {
    const k = x - y;
    const reach = trace[d];
    const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const [fromX, fromY] = [reach.get(from) ?? 0, (reach.get(from) ?? 0) - from];
    while (x > fromX && y > fromY && x > 0 && y > 0) found.set(start + --x, start + --y);
    if (d > 0) [x, y] = [fromX, fromY];
  }
  return found;
}
