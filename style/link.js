// Loads the parts of the program. `style/parts.mjs` puts the parts' places in for TABLE and the names of what the program
// shares with them for SHARED; each part is one file, with the pieces in it that it shares with others.
import { initSync } from './app.js';

const table = TABLE;
let imports;
const pieces = new Map();

/** What the program shares with its parts: its memory, its table of functions. */
function shared() {
  if (!imports) {
    const program = initSync(undefined, undefined);
    imports = { __wasm_split: Object.fromEntries(SHARED.map((name) => [name, program[name]])) };
  }
  return imports;
}

/** Makes a piece a part of the program; once, however many parts bring it along. */
function add(name, code) {
  if (!pieces.has(name)) pieces.set(name, WebAssembly.instantiate(code, shared()));
  return pieces.get(name);
}

async function fetched({ file, own }) {
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const content = await response.arrayBuffer();
  for (const [name, from, to] of own) await add(name, content.slice(from, to));
}

/** What the program calls: loads a part, then tells how it went. A part that could not be had is asked for again next time. */
export function part(name) {
  let loading;
  return async (callback, data) => {
    let is_there = true;
    try {
      await (loading ??= fetched(table[name]));
    } catch (error) {
      // The page says so where the part is shown; one that was asked for ahead of a click is missed by nobody.
      console.warn(error);
      loading = undefined;
      is_there = false;
    }
    shared().__wasm_split.__indirect_function_table.get(callback)(data, is_there);
  };
}
