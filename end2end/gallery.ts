// The pictures that the tests took, on one page: each state in a row, its looks beside each other.
import type { Reporter } from '@playwright/test/reporter';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { file, looks } from './tests/slipway';

const folder = path.join(import.meta.dirname, 'results/screens');
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export default class Gallery implements Reporter {
  onEnd() {
    if (!existsSync(folder)) return;
    const files = new Set(readdirSync(folder).filter((name) => name.endsWith('.png')));
    const names = looks.map(([look]) => look);
    const end = file('', names[0]);
    const titles = [...files].filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length));
    const rows = titles.sort().map((title) => {
      const cells = names.map((look) => {
        const name = file(title, look);
        if (!files.delete(name)) return '<td>–</td>';
        return `<td><a href="${escape(name)}"><img loading="lazy" src="${escape(name)}" alt="${escape(`${title}, ${look}`)}"></a></td>`;
      });
      return `<tr><th scope="row">${escape(title.replaceAll('-', ' '))}</th>${cells.join('')}</tr>`;
    });
    const singles = [...files].sort().map((name) => `<figure><a href="${escape(name)}"><img loading="lazy" src="${escape(name)}" alt=""></a><figcaption>${escape(name.replace('.png', ''))}</figcaption></figure>`);
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Slipway's screens</title>
<style>body{font:14px sans-serif;margin:2rem}img{max-width:360px;max-height:360px;border:1px solid #888}th{text-align:left;vertical-align:top;max-width:12rem}td{vertical-align:top}figure{display:inline-block}</style>
<h1>Slipway's screens</h1><p>${titles.length} states in ${names.length} looks, and ${singles.length} single pictures.</p>
<table><thead><tr><th>State</th>${names.map((look) => `<th>${look}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>
${singles.join('\n')}`;
    writeFileSync(path.join(folder, 'index.html'), html);
    console.log(`\n  ${titles.length} states in all looks: ${path.join(folder, 'index.html')}`);
  }
}
