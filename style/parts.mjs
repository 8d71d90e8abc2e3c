// Puts the parts of the program that are loaded later beside it, each one file that is named by its content, so that it can
// be cached for ever. testbed/bin/wasm-bindgen has parted the program; code that several parts share came out as dozens of
// pieces, and a request for each would cost more than a piece that is fetched twice.
import { transform } from 'esbuild';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const made = path.join(import.meta.dirname, '../target/web/parts');
// As for the program itself, in app/index.html.
const OPTIMISE = ['-O1', '--all-features', '--disable-compact-imports', '--reorder-functions-by-name'];

/** Parts that are only shown inside another one, which has brought the pieces that both need. */
const INSIDE = Object.fromEntries(
  ['resources', 'topology', 'timeline', 'revisions', 'logs', 'object'].map((name) => [name, 'release']),
);

const digest = (...contents) => {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 16);
};
const edit = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')));

/** Places the parts in `dist`; answers with the files that each part takes, by its name. */
export async function placeParts(dist) {
  const told = readFileSync(path.join(made, '__wasm_split.js'), 'utf8');
  const table = {};
  mkdirSync(path.join(dist, 'parts'), { recursive: true });
  const needed = piecesOf(told);
  const codeOf = await optimised([...new Set(Object.values(needed).flat())]);
  for (const [name, all] of Object.entries(needed)) {
    const pieces = all.filter((piece) => !needed[INSIDE[name]]?.includes(piece));
    const codes = pieces.map((piece) => codeOf[piece]);
    let at = 0;
    const own = pieces.map((piece, index) => [piece, at, (at += codes[index].length)]);
    const content = Buffer.concat(codes);
    table[name] = { file: `./parts/${name}-${digest(content)}.bin`, own };
    writeFileSync(path.join(dist, table[name].file), content);
  }
  await link(dist, table, told.match(/const \{([^}]*)\} = initSync/)[1].split(',').map((name) => name.trim()).filter(Boolean));
  const files = (name) => [name, INSIDE[name]].filter(Boolean).map((one) => table[one].file.slice(2));
  return Object.fromEntries(Object.keys(table).map((name) => [name, files(name)]));
}

/** The pieces of each part, itself the last. */
function piecesOf(told) {
  const chunks = Object.fromEntries(
    [...told.matchAll(/const (__chunk_\d+) = makeLoad\([\s\S]*?"\.\/(chunk_\d+)\.wasm"/g)].map(([, variable, piece]) => [variable, piece]),
  );
  const parts = told.matchAll(/__wasm_split_load_(\w+) = wrapAsyncCb\(makeLoad\([\s\S]*?"\.\/(split_\w+)\.wasm"[\s\S]*?, \[([^\]]*)\]\)\)/g);
  return Object.fromEntries(
    [...parts].map(([, name, piece, shared]) => [name, [...shared.split(', ').filter(Boolean).map((one) => chunks[one]), piece]]),
  );
}

/** The code of these pieces, as small as it gets; several at a time, for each is a program's start. */
async function optimised(pieces) {
  const run = promisify(execFile);
  const left = [...pieces];
  const code = {};
  const work = async () => {
    for (let piece = left.pop(); piece; piece = left.pop()) {
      const file = path.join(made, `${piece}.wasm`);
      await run('wasm-opt', [...OPTIMISE, file, '-o', `${file}.small`]);
      code[piece] = readFileSync(`${file}.small`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return code;
}

/** Makes the script that loads the parts. It and the program's own name each other, so both carry the hash of both. */
async function link(dist, table, shared) {
  const program = readdirSync(dist).find((name) => /^app-[0-9a-f]+\.js$/.test(name));
  const names = Object.keys(table).map((name) => `export const __wasm_split_load_${name} = part('${name}');`);
  const template = [readFileSync(path.join(import.meta.dirname, 'link.js'), 'utf8'), ...names].join('\n');
  const script = template.replace('= TABLE', `= ${JSON.stringify(table)}`).replace('SHARED.map', `${JSON.stringify(shared)}.map`);
  const hash = digest(readFileSync(path.join(dist, program)), script);
  const [newProgram, newLink] = [`app-${hash}.js`, `parts-${hash}.js`];
  const { code } = await transform(script.replace('./app.js', `./${newProgram}`), { loader: 'js', format: 'esm', minify: true, target: 'es2022' });
  writeFileSync(path.join(dist, newLink), code);
  // Only where it is imported: by its old name the program still knows what it imports from it.
  edit(path.join(dist, program), (text) => text.replaceAll(/(from ?['"])\.\/__wasm_split\.js/g, `$1./${newLink}`));
  renameSync(path.join(dist, program), path.join(dist, newProgram));
  edit(path.join(dist, 'index.html'), (text) =>
    text
      .replaceAll(program, newProgram)
      .replace('</head>', `<link rel="modulepreload" href="/${newLink}" crossorigin="anonymous"></head>`),
  );
}
