// The command palette and the keyboard shortcuts.
import { expect, test, type Page } from './fixture';
import { chart, ended, looksWell, submit, unique, url } from './slipway';

const namespace = 'team-b';
let name: string;

test.beforeAll(async ({ request }) => {
  name = unique('sought');
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' });
  expect(await ended(request, id)).toBe('succeeded');
});

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to or do' });
const line = (page: Page) => palette(page).getByRole('combobox', { name: 'Go to or do' });
const option = (page: Page, words: string | RegExp) => palette(page).getByRole('option', { name: words });

test('a release is found and acted on by keyboard alone', async ({ page }) => {
  let asked = 0;
  page.on('request', (request) => (asked += Number(request.url().endsWith('/api/ui/catalogue'))));
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked, 'nothing is asked for before it is opened').toBe(0);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(line(page)).toBeFocused();
  await page.keyboard.type(name);
  await expect(option(page, new RegExp(`^${name}`))).toHaveAttribute('aria-selected', 'true');
  await expect(line(page)).toHaveAttribute('aria-activedescendant', 'palette-0');
  await looksWell(page, 'command palette');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/ns/${namespace}/release/${name}$`));
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(option(page, new RegExp(`^Roll back ${name}`)), 'what can be done here is there unasked').toBeVisible();
  await page.keyboard.type(`unin ${name}`);
  await expect(option(page, new RegExp(`^Uninstall ${name}`))).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Uninstall Helm release?' })).toBeVisible();
  await page.keyboard.press('Escape');
});

test('charts, namespaces and pages are found, and a chart begins a release', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await page.getByRole('button', { name: 'Go to or do' }).click();
  await line(page).fill('create platform');
  await option(page, /^Create Helm release from platform/).click();
  await expect(page).toHaveURL(new RegExp(`/ns/${namespace}/install/samples/platform`));
  await page.getByRole('button', { name: 'Go to or do' }).click();
  await line(page).fill('demo namespace');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(option(page, /^demo\s*Namespace/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/helm\/ns\/demo\/releases$/);
  await page.getByRole('button', { name: 'Go to or do' }).click();
  await line(page).fill('zzz-no-such-thing');
  await expect(palette(page)).toContainText('Nothing fits.');
});

test('it opens on a phone by its button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await page.getByRole('button', { name: 'Go to or do' }).click();
  await line(page).fill(name);
  await option(page, new RegExp(`^${name}`)).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}$`));
});

test('shortcuts lead where the sheet says, leave fields alone, and can be switched off', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Helm releases');
  await page.keyboard.press('/');
  const filter = page.getByRole('textbox', { name: /^Filter|^Search/ }).first();
  await expect(filter).toBeFocused();
  await page.keyboard.type('gcn?');
  await expect(filter).toHaveValue('gcn?');
  await expect(heading).toHaveText('Helm releases');
  await filter.fill('');
  await page.getByRole('main').focus();

  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await expect(page).toHaveURL(new RegExp(`/ns/${namespace}/catalog$`));
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page.getByRole('complementary', { name: 'Operations' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page).toHaveURL(new RegExp(`/ns/${namespace}/releases$`));

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toBeVisible();
  await looksWell(page, 'keyboard shortcuts');
  await sheet.getByRole('checkbox', { name: 'Single keys' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.reload();
  await expect(heading).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.press('?');
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/ns/${namespace}/releases$`));
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette(page)).toBeVisible();
});
