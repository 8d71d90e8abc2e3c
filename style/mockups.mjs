// Makes the mock-ups' page of the product's own: the same program, with the player before it, and every address relative to
// where it lies, for a reviewer may put the folder anywhere.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Puts `mockups/screen.html` into `dist`, and what the frame around it needs. */
export function placeScreen(dist) {
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const screen = page
    .replaceAll(/((?:src|href|content|module_or_path:|from) ?=? ?["'])\/(?=[\w-])/g, '$1../')
    // A file share has no origin that a digest could be checked for.
    .replaceAll(/ integrity="[^"]*"/g, '')
    .replace('<script src="../boot.js">', '<script src="player.js"></script>\n    $&')
    .replace('const wasm = await init(', 'await window.slipwayBegin;\nconst wasm = await init(');
  const absolute = screen.match(/["'(]\/[\w-]+[^"')\s]*/g) ?? [];
  if (absolute.length > 0) throw new Error(`the mock-ups' page names places by absolute addresses: ${absolute.join(' ')}`);
  for (const part of ['player.js', 'slipwayBegin']) {
    if (!screen.includes(part)) throw new Error(`the mock-ups' page lacks ${part}: index.html has another form than expected`);
  }
  writeFileSync(path.join(dist, 'mockups/screen.html'), screen);
  const named = (pattern) => `../${page.match(pattern)[1]}`;
  const review = path.join(dist, 'mockups/index.html');
  const frame = readFileSync(path.join(import.meta.dirname, '../public/mockups/index.html'), 'utf8');
  writeFileSync(review, frame.replace('ICON', named(/href="\/(slipway-[^"]*svg)"/)));
  cpSync(path.join(import.meta.dirname, 'build/review.css'), path.join(dist, 'mockups/review.css'));
}
