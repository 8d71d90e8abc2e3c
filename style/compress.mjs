// After Trunk: puts the program's parts in their places, minifies the loader, writes .br and .gz siblings of everything that compresses, and measures the first load.
// Trunk calls it as its last step; by hand it takes the folder.
import { transform } from 'esbuild';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { placeScreen } from './mockups.mjs';
import { placeParts } from './parts.mjs';

const dist = process.argv[2] ?? process.env.TRUNK_STAGING_DIR ?? path.join(import.meta.dirname, '../dist');
const isRelease = (process.env.TRUNK_PROFILE ?? 'release') === 'release';

/** What the browser loads before the first page is there, compressed: without the fonts, the second language, and the
 *  editor, which is loaded when a page first shows one. In bytes. */
const BUDGET = 350_000;
/** The same with the largest of the parts: for who comes by a link to a page that is loaded later. */
const BUDGET_WITH_PART = 400_000;
const FIRST = /^(index\.html|boot\.js|[^/]+\.(js|wasm|css))$/;
const COMPRESSIBLE = /\.(html|js|css|svg|wasm|bin|json|txt)$/;

const parts = await placeParts(dist);
placeScreen(dist);

// A debug build is not worth the half minute.
if (isRelease) {
  let total = 0;
  const sizes = [];
  const packed = {};
  for (const name of readdirSync(dist).filter((name) => /^app-.*\.js$/.test(name))) {
    const file = path.join(dist, name);
    const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'js', format: 'esm', minify: true, target: 'es2022' });
    writeFileSync(file, code);
  }
  for (const name of readdirSync(dist, { recursive: true }).filter((name) => COMPRESSIBLE.test(name))) {
    const file = path.join(dist, name);
    const content = readFileSync(file);
    const brotli = brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    });
    writeFileSync(`${file}.br`, brotli);
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    packed[name] = brotli.length;
    if (FIRST.test(name)) {
      total += brotli.length;
      sizes.push([brotli.length, statSync(file).size, name]);
    }
  }
  for (const [brotli, plain, name] of sizes.sort((a, b) => b[0] - a[0])) {
    console.log(`${String(brotli).padStart(8)} bytes (${plain} uncompressed)  ${name}`);
  }
  let most = 0;
  for (const [part, files] of Object.entries(parts)) {
    const size = files.reduce((sum, file) => sum + packed[file], 0);
    most = Math.max(most, size);
    console.log(`${String(size).padStart(8)} bytes more for the part ${part}`);
  }
  console.log(`${String(total).padStart(8)} bytes on the first load, compressed; the budget is ${BUDGET}`);
  console.log(`${String(total + most).padStart(8)} bytes with the largest part; the budget is ${BUDGET_WITH_PART}`);
  if (total > BUDGET || total + most > BUDGET_WITH_PART) {
    console.error('The first load is over its budget.');
    process.exitCode = 1;
  }
}
