// Filters and groups that only a certain content brings about: several namespaces, several sources, charts in a chart.
import { expect, test } from './fixture';
import { recorded, row } from './recording';
import { chart, ended, looksWell, release, submit, unique, url } from './slipway';

test('releases of all namespaces are narrowed to some of them', async ({ page }) => {
  await recorded(page, { rows: [row('team-a', 'one'), row('team-b', 'two'), row('team-c', 'three')] });
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  const names = page.locator('tbody .col-name a');
  await expect(names).toHaveCount(3);
  await page.locator('#filters').getByRole('button', { name: 'Namespace' }).click();
  const group = page.getByRole('group', { name: 'Namespace', exact: true });
  await group.getByLabel('team-a').check();
  await group.getByLabel('team-c').check();
  await expect(page).toHaveURL(/namespace=team-a(,|%2C)team-c/);
  await page.keyboard.press('Escape');
  await expect(names).toHaveText(['one', 'three']);
  await page.getByRole('button', { name: 'Remove the filter team-a' }).click();
  await expect(names).toHaveText(['three']);
  await page.goto(`${url()}/helm/ns/team-a/releases`);
  await expect(names).toHaveText(['one']);
  await expect(page.locator('#filters').getByRole('button', { name: 'Namespace' }), 'of one there is no choice').toHaveCount(0);
});

test('charts are narrowed to those of one kind of source', async ({ page }) => {
  await page.route('**/api/ui/catalogue', async (route) => {
    const answer = await route.fetch();
    const catalogue = await answer.json();
    const samples = catalogue.repositories.find((one: { name: string }) => one.name === 'samples');
    const web = catalogue.entries.find((one: { name: string; repository: string }) => one.repository === 'samples' && one.name === 'web');
    const entries = [web, { ...web, repository: 'ours', name: 'shop' }];
    const repositories = [{ ...samples, charts: 1 }, { ...samples, name: 'ours', origin: 'project', namespace: 'demo', charts: 1 }];
    await route.fulfill({ response: answer, json: { entries, repositories } });
  });
  await page.goto(`${url()}/helm/ns/demo/catalog`);
  const cards = page.getByRole('list', { name: 'Charts' }).getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await page.getByRole('group', { name: 'Source' }).getByRole('checkbox', { name: 'Namespace (1)' }).check();
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('shop');
  await expect(page).toHaveURL(/source=project/);
});

test('a chart of charts has a tile for each, and its resources below them', async ({ page, request }) => {
  test.setTimeout(240_000);
  const [namespace, name] = ['demo', unique('tiles')];
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'platform'), values: 'global:\n  startup:\n    seconds: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await page.goto(release(namespace, name));
  const tiles = page.getByRole('list', { name: 'Resources by chart' }).getByRole('listitem');
  await expect.poll(() => tiles.count()).toBeGreaterThan(10);
  await looksWell(page, 'tiles of a chart of charts', true);
  const first = tiles.nth(1).getByRole('link');
  const words = (await first.locator('.tile-name').innerText()).trim().split(/\s/).at(-1)!;
  await first.click();
  await expect(page).toHaveURL(/\/resources\?q=/);
  const table = page.getByRole('table', { name: 'Resources' });
  await expect(page.getByRole('button', { name: 'By chart' })).toHaveAttribute('aria-pressed', 'true');
  await expect(table.locator('tr.group-row').first()).toContainText(words);
  await page.getByRole('button', { name: 'One list' }).click();
  await expect(table.locator('tr.group-row')).toHaveCount(0);
  await expect(page).toHaveURL(/view=list/);
});
