// Drops from a style sheet what the pages do not use: rules, then custom properties, then themes that are not offered.
import postcss from 'postcss';

// Themes of PatternFly's that Slipway does not offer, and the classes that ask for a writing direction.
const UNUSED = /pf-v6-theme-(glass|felt|high-contrast)|pf-v6-m-(dir|legacy|no-motion|ai|thinking)|\[dir=/;

/** `css` without the rules that no word in `sources` can match. A class is used if its whole name stands in a source. */
export function styleSheet(css, sources) {
  const words = new Set(sources.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const root = postcss.parse(css);
  root.walkRules((rule) => {
    if (rule.parent.type === 'atrule' && rule.parent.name === 'keyframes') return;
    const kept = rule.selectors.filter((selector) => isUsed(selector, words));
    if (kept.length === 0) rule.remove();
    else rule.selectors = kept;
  });
  dropEmpty(root);
  inlineProperties(root, words);
  dropProperties(root, words);
  dropKeyframes(root);
  dropEmpty(root);
  shortenProperties(root, words);
  root.walkComments((comment) => comment.remove());
  return root.toString();
}

// What stands in :not(), and the alternatives of :is() and :where(), need not be there for a selector to match.
function isUsed(selector, words) {
  if (UNUSED.test(selector.replace(/:not\((?:[^()]|\([^()]*\))*\)/g, ''))) return false;
  const needed = selector.replace(/:(?:not|is|where|has)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (part) =>
    part.startsWith(':where(') || part.startsWith(':is(') ? alternatives(part, words) : '',
  );
  return (needed.match(/\.[\w-]+/g) ?? []).every((name) => words.has(name.slice(1)));
}

// One alternative that is used will do; none of them, and the selector cannot match.
function alternatives(part, words) {
  const inner = part.slice(part.indexOf('(') + 1, -1);
  return inner.split(/,(?![^(]*\))/).some((one) => isUsed(one, words)) ? '' : '.never-used';
}

// Custom properties refer to each other: repeated until nothing more falls. One that a source names stays.
function dropProperties(root, words) {
  for (let dropped = true; dropped; ) {
    dropped = false;
    const used = new Set();
    root.walkDecls((decl) => {
      for (const [, name] of decl.value.matchAll(/var\(\s*(--[\w-]+)/g)) if (name !== decl.prop) used.add(name);
    });
    root.walkDecls(/^--/, (decl) => {
      if (used.has(decl.prop) || words.has(decl.prop)) return;
      decl.remove();
      dropped = true;
    });
  }
}

// A custom property that is set in one place only, on the root or on the component itself, and to what is the same
// everywhere (no property but tokens, which the root sets), is written out where it is used: PatternFly has thousands that
// are there for others to override.
function inlineProperties(root, words) {
  for (let inlined = true; inlined; ) {
    inlined = false;
    const settings = new Map();
    root.walkDecls(/^--/, (decl) => settings.set(decl.prop, [...(settings.get(decl.prop) ?? []), decl]));
    const isFixed = ([decl, another]) =>
      !another &&
      !words.has(decl.prop) &&
      !decl.important &&
      decl.parent.parent.type === 'root' &&
      /^(:root|\.pf-v6-c-[\w-]+)$/.test(decl.parent.selector) &&
      !/^(initial|revert|unset|inherit|)$/.test(decl.value) &&
      [...decl.value.matchAll(/var\(\s*(--[\w-]+)/g)].every(([, name]) => name.startsWith('--pf-t--'));
    const fixed = new Map([...settings].filter(([, decls]) => isFixed(decls)).map(([name, [decl]]) => [name, decl.value]));
    root.walkDecls((decl) => {
      const value = written(decl.value, (name) => (name === decl.prop ? undefined : fixed.get(name)));
      if (value !== decl.value) {
        decl.value = value;
        inlined = true;
      }
    });
  }
}

// `value` with each var() that `known` has a value for written out, its fallback dropped.
function written(value, known) {
  let out = '';
  for (let at = 0; at < value.length; ) {
    const found = value.slice(at).match(/^var\(\s*(--[\w-]+)/);
    const text = found && known(found[1]);
    if (text === undefined || text === null) {
      out += value[at++];
      continue;
    }
    let depth = 0;
    do {
      if (value[at] === '(') depth++;
      if (value[at] === ')') depth--;
      at++;
    } while (depth > 0 || value[at - 1] !== ')');
    out += /^-?[\d.]+\w*$|^[#\w-]+$|^[\w-]+\([^()]*(\([^()]*\)[^()]*)*\)$/.test(text) || !/calc/.test(value) ? text : `(${text})`;
  }
  return out;
}

// Nobody reads the names of what is left, and there are thousands of them. One that a source names stays.
function shortenProperties(root, words) {
  const names = new Map();
  root.walkDecls(/^--/, ({ prop }) => {
    if (!words.has(prop) && !names.has(prop)) names.set(prop, `--${names.size.toString(36)}`);
  });
  root.walkDecls((decl) => {
    decl.prop = names.get(decl.prop) ?? decl.prop;
    decl.value = decl.value.replace(/--[\w-]+/g, (name) => names.get(name) ?? name);
  });
}

function dropKeyframes(root) {
  const values = [];
  root.walkDecls(/animation/i, (decl) => values.push(decl.value));
  root.walkDecls(/^--.*[Aa]nimation/, (decl) => values.push(decl.value));
  const used = values.join(' ');
  root.walkAtRules('keyframes', (rule) => {
    if (!used.includes(rule.params)) rule.remove();
  });
  root.walkAtRules('property', (rule) => rule.remove());
}

function dropEmpty(root) {
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
  root.walkRules((rule) => {
    if (rule.nodes.length === 0) rule.remove();
  });
}
