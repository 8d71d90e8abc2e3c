// Makes style/build/ from npm's packages: the style sheet, the icons, the fonts and the YAML editor. Nothing of it is
// committed. Run by `make web` before Trunk, whose page (app/index.html) takes the results up by name.
import { build, transform } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { styleSheet } from './purge.mjs';
import { sprite } from './icons.mjs';

const here = import.meta.dirname;
const out = path.join(here, 'build');
const patternfly = path.join(here, 'node_modules/@patternfly/patternfly');
const read = (...parts) => readFileSync(path.join(...parts), 'utf8');

rmSync(out, { recursive: true, force: true });
mkdirSync(path.join(out, 'assets'), { recursive: true });

// Everything whose class names the style sheet must keep.
const sources = readdirSync(path.join(here, '../app'), { recursive: true })
  .filter((name) => /\.(rs|html)$/.test(name))
  .map((name) => read(here, '../app', name))
  .concat(['editor', 'values-form', 'controls', 'parts'].map((name) => read(here, `${name}.js`)));

// One folder a component of PatternFly; the order is PatternFly's own, which is the alphabet's.
const components = `Alert Badge Breadcrumb Button Card Check CodeBlock Content DescriptionList Divider Drawer EmptyState
  ExpandableSection Form FormControl HelperText InputGroup Label Masthead Menu MenuToggle ModalBox Nav NotificationDrawer Page Pagination
  Progress Radio Skeleton SkipToContent Table Tabs TextInputGroup Title ToggleGroup Toolbar`.split(/\s+/);
const extra = { Alert: ['alert-group'], Table: ['table-grid'], Label: ['label-group'] };
const own =
  `fonts shell overlays cluster activity lists catalogue panel sources release inspection topology revisions form values print`.split(' ');
const kebab = (name) => name.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
const sheets = [
  // Its fonts are named by addresses that are not ours.
  read(patternfly, 'patternfly-base.css').replace(/@font-face\s*\{[^}]*\}/g, ''),
  ...components.flatMap((name) =>
    [kebab(name), ...(extra[name] ?? [])].map((file) => read(patternfly, 'components', name, `${file}.css`)),
  ),
  ...own.map((name) => read(here, `${name}.css`)),
];
const css = styleSheet(sheets.join('\n'), sources);
writeFileSync(path.join(out, 'slipway.css'), (await transform(css, { loader: 'css', minify: true, target: 'es2022' })).code);

// The frame around the mock-ups has a sheet of its own, with what it names of PatternFly's base.
const frame = [read(here, '../public/mockups/index.html'), read(here, '../public/mockups/review.js')];
const review = styleSheet([sheets[0], read(here, 'fonts.css').replaceAll('./assets/', '../assets/'), read(here, 'review.css')].join('\n'), frame);
writeFileSync(path.join(out, 'review.css'), (await transform(review, { loader: 'css', minify: true, target: 'es2022' })).code);

// Variable fonts: one file for all weights.
for (const family of ['RedHatText', 'RedHatDisplay', 'RedHatMono']) {
  cpSync(path.join(patternfly, `assets/fonts/${family}/${family}VF.woff2`), path.join(out, `assets/${family}.woff2`));
}

writeFileSync(path.join(out, 'icons.svg'), sprite(read));

// The editor is loaded when a page first shows one; its name carries its content, so that it can be cached for ever.
const { outputFiles } = await build({
  entryPoints: [path.join(here, 'editor.js')],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  write: false,
});
const editor = outputFiles[0].contents;
const name = `editor-${createHash('sha256').update(editor).digest('hex').slice(0, 16)}.js`;
writeFileSync(path.join(out, 'assets', name), editor);
writeFileSync(path.join(out, 'editor.html'), `<meta name="slipway-editor" content="/assets/${name}">\n`);
