// One SVG sprite of the icons that the pages use, from PatternFly's icon set. The page has it inline, so that no icon
// waits for a request of its own.
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'node_modules/@patternfly/react-icons/dist/esm/icons');

// Our name for each icon (as in app/src/ui/icon.rs), and PatternFly's file.
const ICONS = {
  'angle-first': 'angle-double-left',
  'angle-last': 'angle-double-right',
  'angle-left': 'angle-left',
  'angle-right': 'angle-right',
  ban: 'ban',
  bars: 'bars',
  bell: 'bell',
  caret: 'caret-down',
  check: 'check',
  clock: 'outlined-clock',
  close: 'times',
  copy: 'copy',
  cubes: 'cubes',
  danger: 'exclamation-circle',
  dark: 'moon',
  download: 'download',
  external: 'external-link-alt',
  fit: 'expand-arrows-alt',
  filter: 'filter',
  info: 'info-circle',
  kebab: 'ellipsis-v',
  light: 'sun',
  missing: 'unplugged',
  progress: 'in-progress',
  search: 'search',
  sort: 'arrows-alt-v',
  'sort-down': 'long-arrow-alt-down',
  'sort-up': 'long-arrow-alt-up',
  success: 'check-circle',
  sync: 'sync-alt',
  system: 'desktop',
  unknown: 'question-circle',
  user: 'user',
  warning: 'exclamation-triangle',
  'zoom-in': 'search-plus',
  'zoom-out': 'search-minus',
};

/** The sprite: each icon a `<symbol id="i-NAME">`. `read` reads a file below its first argument. */
export function sprite(read) {
  const symbols = Object.entries(ICONS).map(([name, file]) => {
    const { width, height, xOffset = 0, yOffset = 0, svgPathData } = shape(read(folder, `${file}-icon.js`), file);
    const paths = [svgPathData].flat().map((data) => `<path d="${data.path ?? data}"/>`);
    return `<symbol id="i-${name}" viewBox="${xOffset} ${yOffset} ${width} ${height}">${paths.join('')}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" hidden>${symbols.join('')}</svg>\n`;
}

// The current set's shape, else the older one's.
function shape(source, file) {
  for (const key of ['rhUiIcon', 'icon']) {
    const found = source.match(new RegExp(`^\\s*${key}: (\\{.*\\}),?$`, 'm'));
    if (found) return JSON.parse(found[1]);
  }
  throw new Error(`no shape in ${file}`);
}
