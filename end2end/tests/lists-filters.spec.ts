// The list of releases: what it is filtered and sorted by, all in the address, on a desk and on a phone.
import { expect, test, type Page } from './fixture';
import { chart, ended, expectAccessible, looks, looksWell, submit, unique, url } from './slipway';
import { recorded, row } from './recording';

const desk = looks[0][1];
const phone = looks[2][1];

const rows = [
  row('team-a', 'api', { phase: { phase: 'failed', kind: null }, status: 'failed', chart: 'node', version: '1.10.0', description: 'Release "api" failed: out of quota' }),
  row('team-a', 'web', { chart: 'nginx', version: '1.9.0', app: '1.27.5' }),
  row('team-b', 'db', { chart: 'postgres', version: '1.10.0-rc.1', app: '16.4' }),
  row('team-b', 'old', { phase: { phase: 'stuck', status: 'pending-upgrade' }, status: 'pending-upgrade', chart: 'nginx', version: '0.9.0' }),
];

const names = (page: Page) =>
  page.getByRole('table', { name: 'Helm releases' }).locator('tbody .col-name a').allInnerTexts();

for (const [look, options, narrow] of [['on a desk', desk, false], ['on a phone', phone, true]] as const) {
  test.describe(look, () => {
    test.use(options);
    test('filters are counted, in the address, and taken away one by one', async ({ page }) => {
      await recorded(page, { rows });
      await page.goto(`${url()}/helm/all-namespaces/releases`);
      await expect.poll(() => names(page)).toEqual(['api', 'db', 'old', 'web']);
      if (narrow) await page.getByRole('button', { name: 'Filters and order' }).click();
      await page.locator('#filters').getByRole('button', { name: 'Status' }).click();
      const status = page.getByRole('group', { name: 'Status' });
      await expect(status.getByRole('listitem').filter({ hasText: 'Deployed' })).toContainText('2');
      await status.getByLabel('Deployed').check();
      await expect(page).toHaveURL(/status=deployed/);
      await page.getByRole('group', { name: 'In Helm’s record' }).getByLabel('Pending upgrade').check();
      await expect.poll(() => names(page)).toEqual(['db', 'old', 'web']);
      await page.keyboard.press('Escape');
      await page.locator('#filters').getByRole('button', { name: 'Chart' }).click();
      await page.getByRole('textbox', { name: 'Find a chart' }).fill('NGI');
      const charts = page.getByRole('group', { name: 'Chart', exact: true });
      await expect(charts.getByRole('checkbox')).toHaveCount(1);
      await charts.getByLabel('nginx').check();
      await expect.poll(() => names(page)).toEqual(['old', 'web']);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.reload();
      await expect.poll(() => names(page)).toEqual(['old', 'web']);
      await page.getByRole('button', { name: 'Remove the filter Pending upgrade' }).click();
      await expect.poll(() => names(page)).toEqual(['web']);
      await page.getByRole('button', { name: 'Clear all filters' }).click();
      await expect.poll(() => names(page)).toEqual(['api', 'db', 'old', 'web']);
      expect(new URL(page.url()).search).toBe('');
    });
  });
}

test('each column sorts, versions by their numbers', async ({ page }) => {
  await recorded(page, { rows });
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  for (const [column, expected] of [
    ['Namespace', ['api', 'web', 'db', 'old']],
    ['Status', ['db', 'web', 'api', 'old']],
    ['Chart name', ['old', 'web', 'api', 'db']],
    ['Chart version', ['old', 'web', 'db', 'api']],
    ['App version', ['api', 'old', 'web', 'db']],
    ['Name', ['api', 'db', 'old', 'web']],
  ] as const) {
    await head(column).getByRole('button').click();
    await expect(head(column)).toHaveAttribute('aria-sort', 'ascending');
    expect(await names(page), column).toEqual(expected);
  }
  await head('Name').getByRole('button').click();
  expect(await names(page)).toEqual(['web', 'old', 'db', 'api']);
  await expect(page).toHaveURL(/dir=desc/);
});

test.describe('on a phone', () => {
  test.use(phone);
  test('the order is chosen in a menu, for there are no heads', async ({ page }) => {
    await recorded(page, { rows });
    await page.goto(`${url()}/helm/all-namespaces/releases`);
    await page.getByRole('button', { name: 'Filters and order' }).click();
    await page.getByRole('button', { name: /^Order/ }).click();
    await page.getByRole('menuitemradio', { name: 'Chart version' }).click();
    await expect.poll(() => names(page)).toEqual(['old', 'web', 'db', 'api']);
    await page.getByRole('button', { name: /^Order/ }).click();
    await page.getByRole('menuitemradio', { name: 'Descending' }).click();
    await expect.poll(() => names(page)).toEqual(['api', 'db', 'web', 'old']);
  });
});

test('filtered to none, the list says so and leads back', async ({ page }) => {
  await recorded(page, { rows });
  await page.goto(`${url()}/helm/all-namespaces/releases?name=nothing`);
  await expect(page.getByText('No Helm releases match the filters.')).toBeVisible();
  await page.getByRole('cell').getByRole('button', { name: 'Clear all filters' }).click();
  await expect.poll(() => names(page)).toHaveLength(4);
});

test('a page has as many rows as one chooses', async ({ page }) => {
  const many = Array.from({ length: 130 }, (_, at) => row('team-a', `r${String(at).padStart(3, '0')}`));
  await recorded(page, { rows: many });
  await page.goto(`${url()}/helm/ns/team-a/releases`);
  const all = page.locator('tbody tr');
  await expect(all).toHaveCount(50);
  await page.getByRole('button', { name: 'Next page' }).first().click();
  await expect(page.getByRole('button', { name: '51 – 100 of 130' }).first()).toBeVisible();
  await page.getByRole('button', { name: '51 – 100 of 130' }).first().click();
  await page.getByRole('menuitemradio', { name: '20 per page' }).click();
  await expect(all).toHaveCount(20);
  await expect(page).toHaveURL(/per-page=20/);
  await page.getByRole('button', { name: 'Last page' }).last().click();
  await expect(all).toHaveCount(10);
  await expect(page.getByRole('button', { name: 'Next page' }).first()).toBeDisabled();
});

test('an update is told beside the version, filtered by, and leads to the form with that version', async ({ page, request }) => {
  const namespace = 'team-b';
  const name = unique('updates');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web', '1.0.0'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  const newest = unique('newest');
  const other = { ...body, name: newest, chart: await chart(request, 'web') };
  expect(await ended(request, await submit(request, other))).toBe('succeeded');
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  const label = page.getByRole('row', { name: new RegExp(name) }).getByRole('link', { name: /^Update available: 2\.0\.0/ });
  await expect(label).toBeVisible();
  await page.locator('#filters').getByRole('button', { name: 'Status' }).click();
  await page.getByRole('checkbox', { name: 'Update available' }).check();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/update=true/);
  await expect(page.getByRole('row', { name: new RegExp(newest) })).toBeHidden();
  await label.click();
  await expect(page.getByRole('combobox', { name: 'Chart version' })).toHaveValue('2.0.0');
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
  await page.goto(`${url()}/helm/ns/${namespace}/releases?name=${name}`);
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('2.0.0');
  await expect(label).toBeHidden();
});

test('updates that cannot be asked for delay nothing, and the filter says so', async ({ page }) => {
  await recorded(page, { rows, updates: 503 });
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect.poll(() => names(page)).toHaveLength(4);
  await page.goto(`${url()}/helm/all-namespaces/releases?update=true`);
  await expect(page.getByText(/^Which charts have a newer version is not known/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('the list with all that it can say is well to look at', async ({ page }) => {
  const odd = [
    ...rows,
    row('team-c', 'broken', { detail: { state: 'unreadable', reason: 'The record is damaged: its compressed data is broken or incomplete.' } }),
    row('team-c', 'busy', { phase: { phase: 'working', kind: 'upgrade', step: 'applying', attempt: 2, maxAttempts: 3 } }),
    row('team-c', 'elsewhere', { target: 'flux-apps' }),
    row('team-c', 'foreign', { phase: { phase: 'pending', status: 'pending-install' }, status: 'pending-install' }),
    row('team-c', 'half', { phase: { phase: 'interrupted', kind: 'upgrade' } }),
  ];
  const updates = [{ namespace: 'team-a', name: 'web', version: '2.0.0', repository: 'samples' }];
  await recorded(page, { rows: odd, updates, warnings: ['The namespace team-x cannot be read.'] });
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect(page.getByText('This list is not complete')).toBeVisible();
  await expect(page.getByRole('row', { name: /broken/ })).toContainText('delete it');
  await expect(page.getByRole('row', { name: /broken/ })).toContainText('sh.helm.release.v1.broken.v1');
  await expect(page.getByRole('row', { name: /foreign/ })).toContainText('By a Helm outside of Slipway');
  await expect(page.getByRole('row', { name: /elsewhere/ })).toContainText('Its resources are in flux-apps');
  await expect(page.getByRole('row', { name: /api/ })).toContainText('out of quota');
  await expect(page.getByRole('link', { name: /^Update available/ })).toBeVisible();
  await looksWell(page, 'releases, all kinds');
});
