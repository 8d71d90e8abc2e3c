// What every page has: verbs in the palette, the same in a terminal, paper, and a log that outlives a session.
import { expect, test } from './fixture';
import { chart, ended, release, submit, unique, url } from './slipway';

const namespace = 'team-b';
const stem = unique('pair');
const names = [`${stem}-one`, `${stem}-two`];

test.beforeAll(async ({ request }) => {
  for (const name of names) {
    const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' });
    expect(await ended(request, id)).toBe('succeeded');
  }
});

test('the tests of a release are run from the palette, and what cannot be done now is not offered', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await page.getByRole('button', { name: 'Go to or do' }).click();
  const palette = page.getByRole('dialog', { name: 'Go to or do' });
  await palette.getByRole('combobox').fill(`tests ${names[0]}`);
  const run = palette.getByRole('option', { name: `Run the tests of ${names[0]}` });
  await expect(run).toBeVisible();
  await expect(palette.getByRole('option', { name: /Cancel the operation/ })).toHaveCount(0);
  await run.click();
  await expect(page.getByRole('dialog', { name: 'Run the release’s tests?' })).toBeVisible();
});

test('several uninstalls are a line each in a terminal', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/releases?name=${stem}`);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('group', { name: 'Selected releases' }).getByRole('button', { name: 'Uninstall' }).click();
  const dialog = page.getByRole('dialog', { name: 'Uninstall Helm releases?' });
  await dialog.getByText('The same in a terminal').click();
  for (const name of names) {
    await expect(dialog.getByRole('region', { name: 'Command line' })).toContainText(`-- ${name}`);
  }
});

test('all of a long manifest is on paper', async ({ page }) => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `# line ${at}`).join('\n');
  await page.route('**/api/ui/manifest', (route) => route.fulfill({ json: { manifest: `---\n${lines}\n`, hooks: [] } }));
  await page.goto(`${release(namespace, names[0])}/manifest`);
  const drawn = page.locator('.code-line');
  await expect(drawn.first()).toBeVisible();
  expect(await drawn.count()).toBeLessThan(1_000);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => drawn.count()).toBeGreaterThan(2_000);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => drawn.count()).toBeLessThan(1_000);
});

test('a log that a session ended goes on when there is one again', async ({ page }) => {
  let isOut = true;
  await page.route(/\/pods\/[^/]+\/log\?/, (route) =>
    isOut
      ? route.fulfill({ status: 401, body: 'Sign in' })
      : route.fulfill({
          contentType: 'text/event-stream',
          body: 'id: 2026-01-01T00:00:01Z\ndata: back again\n\nevent: end\ndata: The container has ended.\n\n',
        }),
  );
  await page.route('**/api/ui/**', (route) => (isOut && page.url().includes('look=logs') && started ? route.fulfill({ status: 401, body: '' }) : route.continue()));
  let started = false;
  page.on('response', (answer) => (started ||= /\/log\?/.test(answer.url())));
  const object = `object=${encodeURIComponent(`apps/v1/Deployment/${namespace}/${names[0]}`)}`;
  await page.goto(`${release(namespace, names[0])}/resources?${object}&look=logs`);
  await expect(page.getByText('Your session has ended').first()).toBeVisible();
  isOut = false;
  await expect(page.getByRole('log')).toContainText('back again', { timeout: 30_000 });
});
