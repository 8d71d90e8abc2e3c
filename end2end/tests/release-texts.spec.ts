// What is read of a release and taken elsewhere: texts copied and kept as files, notes compared, colours of a log.
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from './fixture';
import { chart, ended, fits, release, submit, unique } from './slipway';

const namespace = 'team-b';
let name = '';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeAll(async ({ request }) => {
  test.setTimeout(120_000);
  name = unique('read');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  const values = 'replicas: 1\nservice:\n  port: 8080\n';
  expect(await ended(request, await submit(request, { ...body, kind: 'upgrade', values }))).toBe('succeeded');
});

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('values and a line for a terminal are copied, and said to be', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/values`);
  await expect(page.getByRole('region', { name: 'Values' })).toContainText('port: 8080');
  await page.getByRole('main').getByRole('button', { name: 'Copy' }).first().click();
  await expect(page.getByRole('button', { name: 'Copied' }).first()).toBeVisible();
  expect(await copied(page)).toContain('replicas: 1\nservice:\n  port: 8080');
  await page.goto(release(namespace, name));
  await page.getByText('The same in a terminal').click();
  await expect(page.getByRole('region', { name: 'Command line' })).toContainText('helm upgrade');
  await page.getByRole('region', { name: 'State' }).getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => copied(page)).toContain(`helm upgrade`);
});

test('the notes of two revisions are compared', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/history?from=1&to=2`);
  const difference = page.getByRole('region', { name: 'Revision 1 compared with 2' });
  await difference.getByRole('button', { name: 'Release notes' }).click();
  await expect(page).toHaveURL(/facet=notes/);
  await expect(difference.getByRole('row', { name: new RegExp(`\\+.*${name}\\.${namespace}\\.svc:8080`) })).toBeVisible();
  await fits(page, 'notes compared');
});

test('the log of an operation is kept as a file, and its colours are shown', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/logs`);
  await expect(page.getByRole('log')).toContainText('STATUS: deployed');
  const kept = page.waitForEvent('download');
  await page.getByText('Download', { exact: true }).click();
  expect(readFileSync(await (await kept).path(), 'utf8')).toContain('$ helm upgrade');
  // helm itself has no colours where nobody sees them; plugins and hooks have.
  await page.route('**/api/ui/operation_log_part', async (route) => {
    const answer = await route.fetch();
    const part = await answer.json();
    await route.fulfill({ response: answer, json: { ...part, text: '\u001b[31mrefused\u001b[0m <b>at once</b>\n' } });
  });
  await page.reload();
  await expect(page.locator('.ansi-red')).toHaveText('refused');
  await expect(page.getByRole('log')).toContainText('<b>at once</b>');
});

test('the picture leads to the workload and to the service', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/topology`);
  const frame = page.getByRole('group', { name: 'Picture of the resources' });
  for (const kind of ['Deployment', 'Service']) {
    await frame.getByRole('link', { name: new RegExp(`^${kind} ${name}:`) }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`object=.*${kind}`));
    await expect(page.getByRole('dialog', { name })).toContainText(kind);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});
