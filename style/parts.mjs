// Puts the parts of the program that are loaded later beside it (testbed/bin/wasm-bindgen made them), each named by its
// content, so that it can be cached for ever.
import { transform } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const made = path.join(import.meta.dirname, '../target/web/parts');
const LINK = '__wasm_split.js';
// As for the program itself, in app/index.html.
const OPTIMISE = ['-O1', '--all-features', '--disable-compact-imports', '--reorder-functions-by-name'];

const digest = (...contents) => {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 16);
};
const edit = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')));

/** Places the parts in `dist`; answers with the files that each part needs, by the part's name. */
export async function placeParts(dist) {
  const program = readdirSync(dist).find((name) => /^app-[0-9a-f]+\.js$/.test(name));
  let link = readFileSync(path.join(made, LINK), 'utf8');
  mkdirSync(path.join(dist, 'parts'), { recursive: true });
  const files = {};
  for (const name of readdirSync(made).filter((name) => /^(split|chunk)_.*\.wasm$/.test(name))) {
    const part = path.join(made, name);
    execFileSync('wasm-opt', [...OPTIMISE, part, '-o', part]);
    const content = readFileSync(part);
    const stem = name.replace(/^split_|\.wasm$/g, '');
    files[stem] = `parts/${stem}-${digest(content)}.wasm`;
    writeFileSync(path.join(dist, files[stem]), content);
    link = link.replaceAll(`"./${name}"`, `"./${files[stem]}"`);
  }
  // The program and the link name each other, so both carry the hash of both.
  const hash = digest(readFileSync(path.join(dist, program)), link);
  const [newProgram, newLink] = [`app-${hash}.js`, `parts-${hash}.js`];
  link = link.replaceAll('"./app.js"', `"./${newProgram}"`);
  const { code } = await transform(link, { loader: 'js', format: 'esm', minify: true, target: 'es2022' });
  writeFileSync(path.join(dist, newLink), code);
  edit(path.join(dist, program), (text) => text.replaceAll(`./${LINK}`, `./${newLink}`));
  renameSync(path.join(dist, program), path.join(dist, newProgram));
  edit(path.join(dist, 'index.html'), (text) =>
    text
      .replaceAll(program, newProgram)
      .replace('</head>', `<link rel="modulepreload" href="/${newLink}" crossorigin="anonymous"></head>`),
  );
  return needed(readFileSync(path.join(made, LINK), 'utf8'), files);
}

/** The files of each part with those that it shares with others, as the link has them. */
function needed(link, files) {
  const shared = Object.fromEntries(
    [...link.matchAll(/const (__chunk_\d+) = makeLoad\(\(\) => \{[^}]*"\.\/(chunk_\d+)\.wasm"/g)].map(([, variable, name]) => [variable, files[name]]),
  );
  const parts = [...link.matchAll(/__wasm_split_load_(\w+) = wrapAsyncCb\(makeLoad\([\s\S]*?, \[([^\]]*)\]\)\)/g)];
  return Object.fromEntries(
    parts.map(([, name, chunks]) => [name, [files[name], ...chunks.split(', ').map((one) => shared[one])].filter(Boolean)]),
  );
}
