// How much the first page load transfers: index.html and what it names, compressed as the server does (brotli), without
// fonts. Fails above the limit.
//   node testbed/size.mjs [DIST [LIMIT_IN_KB]]
import { readFileSync, existsSync } from "node:fs";
import { join, normalize } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [dist = "dist", limit = "250"] = process.argv.slice(2);
const brotli = (content) =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }).length;

const html = readFileSync(join(dist, "index.html"), "utf8");
const named = html.matchAll(/["'(]\/?(?:\.\/)?([\w./-]+\.(?:js|mjs|wasm|css|svg))["')]/g);
const files = new Set(["index.html", ...[...named].map(([, path]) => normalize(path))]);

let total = 0;
for (const file of files) {
  const path = join(dist, file);
  if (!existsSync(path)) continue;
  const size = brotli(readFileSync(path));
  total += size;
  console.log(`${(size / 1000).toFixed(1).padStart(8)} KB  ${file}`);
}
console.log(`${(total / 1000).toFixed(1).padStart(8)} KB  first load, limit ${limit} KB`);
if (![...files].some((file) => file.endsWith(".wasm"))) {
  console.error("index.html names no WebAssembly: this is not the whole of it");
  process.exit(1);
}
process.exit(total > Number(limit) * 1000 ? 1 : 0);
