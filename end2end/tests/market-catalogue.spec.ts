// The catalogue: found among thousands, looked into in each version; and what it says of repositories that fail.
import { expect, test, type Page } from './fixture';
import { expectAccessible, looksWell, url } from './slipway';

const catalog = `${url()}/helm/ns/demo/catalog`;

/** A catalogue of many charts, recorded, in the place of the server's answer. */
async function recorded(page: Page, more: object[] = []) {
  const now = Date.now();
  const state = (name: string, origin: string, rest: object) => ({
    name, url: `https://${name}.example.org/`, charts: null, fetched: null, error: null, origin, namespace: null,
    displayName: null, description: null, disabled: false,
    secured: { password: false, token: false, ca: false, certificate: false, references: null }, ...rest,
  });
  const repositories = [
    state('big', 'settings', { charts: 2900, fetched: now, displayName: 'The big one' }),
    state('team', 'slipway', { charts: 100, fetched: now }),
    ...more.map((rest, at) => state(`other-${at}`, 'cluster', rest)),
  ];
  const kinds = ['database', 'monitoring', 'queue', 'web'];
  const entries = Array.from({ length: 3000 }, (_, at) => ({
    repository: at < 2900 ? 'big' : 'team',
    name: `chart-${String(at).padStart(4, '0')}`,
    description: `Number ${at} of many, for ${kinds[at % 4]}`,
    icon: at % 7 ? null : 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    keywords: [kinds[at % 4], `word-${at % 500}`],
    category: kinds[at % 4],
    latest: { version: `1.${at}.0`, appVersion: `${at}`, created: now, deprecated: at % 100 === 0, incompatible: false },
    deprecated: at % 100 === 0,
  }));
  await page.route('**/api/ui/catalogue', (route) => route.fulfill({ json: { entries, repositories } }));
}

test('one chart among three thousand is found as one types, and the address keeps the search', async ({ page }) => {
  await recorded(page);
  await page.goto(catalog);
  const cards = page.getByRole('list', { name: 'Charts' }).getByRole('listitem');
  await expect(page.getByText('2970 items')).toBeVisible();
  await expect(cards).toHaveCount(60);
  await page.getByRole('button', { name: 'Show more' }).last().click();
  await expect(cards).toHaveCount(120);

  const search = page.getByRole('textbox', { name: 'Filter by keyword' });
  // How long the page is busy with one letter.
  const busy = await search.evaluate((field: HTMLInputElement) => {
    const start = performance.now();
    field.value = 'chart-29';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return new Promise<number>((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))));
  });
  console.log(`one letter among 3,000 charts: ${Math.round(busy)} ms`);
  expect(busy, 'typing stays smooth').toBeLessThan(1_000);
  await expect(page.getByText('99 items')).toBeVisible();
  await search.fill('chart-2942');
  await expect(cards).toHaveCount(1);
  await expect(page).toHaveURL(/q=chart-2942/);
  await page.reload();
  await expect(cards).toHaveCount(1);
  await expect(search).toHaveValue('chart-2942');
  await page.getByRole('button', { name: 'Clear all filters' }).click();
  await expect(page.getByText('2970 items')).toBeVisible();
});

test('filters narrow each other, count, and are kept while a chart is looked at', async ({ page }) => {
  await recorded(page);
  await page.goto(catalog);
  await page.getByRole('checkbox', { name: 'team (99)' }).check();
  await expect(page.getByText('99 items')).toBeVisible();
  const database = page.getByRole('group', { name: 'Category' }).getByRole('checkbox', { name: 'database (24)' });
  await database.check();
  await expect(database, 'the focus stays where it was').toBeFocused();
  await expect(page.getByText('24 items')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Show 1 deprecated chart' }).check();
  await expect(page.getByText('25 items')).toBeVisible();
  await page.getByRole('button', { name: 'Sort: Relevance' }).click();
  await page.getByRole('menuitemradio', { name: 'Z-A' }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText('chart-2996');
  await expect(page).toHaveURL(/repository=team&category=database&deprecated=true&sort=name-desc/);
  await looksWell(page, 'catalogue filtered');
});

test('a broken repository is one warning, and the others list', async ({ page }) => {
  const error = 'The index could not be fetched: the server answered HTTP 503';
  await recorded(page, [{ error }, { charts: 3, fetched: Date.now() - 7_200_000, error }, { url: 'oci://registry.example.org/charts', fetched: Date.now() }, {}]);
  await page.goto(catalog);
  await expect(page.getByText('The charts of 2 repositories could not be fetched')).toBeVisible();
  await expect(page.getByText('What is shown of it was fetched 2 hours ago.')).toBeVisible();
  await expect(page.getByText('None of its charts can be shown.')).toBeVisible();
  await expect(page.getByText('2970 items')).toBeVisible();
  await expect(page.getByText(/Registries do not list their charts: install one of other-2/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'See the repositories' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Repositories' })).toBeFocused();
});

test('a chart is looked into in each of its versions, and created in the one that is chosen', async ({ page }) => {
  await page.goto(`${catalog}?q=web`);
  await page.getByRole('link', { name: 'web', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'web' });
  await expect(panel.getByText('From the repository samples')).toBeVisible();
  await panel.getByRole('link', { name: 'Versions' }).click();
  await expect(page).toHaveURL(/tab=versions/);
  const versions = panel.getByRole('table', { name: 'Versions' });
  await expect(versions.getByRole('row').nth(1)).toContainText('2.0.0');
  await versions.getByRole('link', { name: '1.0.0' }).click();
  await expect(panel.getByRole('combobox', { name: 'Chart version' })).toHaveValue('1.0.0');
  await expect(panel.getByText('Latest chart version')).toBeVisible();

  await panel.getByRole('link', { name: 'Values' }).click();
  await panel.getByRole('textbox', { name: 'Find in values' }).fill('REPL');
  await expect(panel.getByRole('status').filter({ hasText: /^1 of \d+$/ })).toBeVisible();
  await expect(panel.locator('mark.match-current')).toHaveText(/repl/i);
  await looksWell(page, 'chart panel values');
  await page.reload();
  await expect(panel.locator('mark.match-current')).toBeVisible();
  await panel.getByRole('link', { name: 'README' }).click();
  await looksWell(page, 'chart panel');

  await panel.getByRole('link', { name: 'Create' }).click();
  await expect(page.getByRole('combobox', { name: 'Chart version' })).toHaveValue('1.0.0');
  await page.goBack();
  await expect(panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page).toHaveURL(`${catalog}?q=web`);
});

test('what stands against a chart is said before it is created', async ({ page }) => {
  await page.route('**/api/ui/chart', async (route) => {
    const answer = await route.fetch();
    const chart = await answer.json();
    Object.assign(chart, {
      deprecated: true,
      kubernetes: { wanted: '>=1.99.0', cluster: '1.37.2', fits: false },
      maintainers: [{ name: 'A. Person', email: 'a.person@example.org', url: null }, { name: 'Odd', email: 'x@y?body=z', url: null }],
      keywords: ['http', 'server'],
      sources: ['https://example.org/source'],
      provider: 'Example',
      dependencies: [{ name: 'redis', version: '^18.0.0', repository: 'https://charts.example.org', condition: 'redis.enabled', alias: 'cache' }],
    });
    await route.fulfill({ response: answer, json: chart });
  });
  await page.goto(`${catalog}/samples/web?tab=dependencies`);
  const panel = page.getByRole('dialog', { name: 'web' });
  await expect(panel.getByText('It asks for Kubernetes >=1.99.0; this cluster has 1.37.2.').last()).toBeVisible();
  await expect(panel.getByText('This chart is deprecated')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Create' })).toHaveAttribute('aria-disabled', 'true');
  await expect(panel.getByRole('row', { name: /redis As cache \^18\.0\.0 .*redis\.enabled/ })).toBeVisible();
  await expect(panel.getByRole('link', { name: 'A. Person' })).toHaveAttribute('href', 'mailto:a.person@example.org');
  await expect(panel.getByRole('link', { name: 'Odd' })).toBeHidden();
  await looksWell(page, 'chart panel refused');
});
