// Charts that are in no repository: by an address, in a registry, uploaded.
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test, tolerate, type Page, type TestInfo } from './fixture';
import { BASIC, archive, chartServer } from './charts';
import { ended, expectAccessible, looksWell, release, submit, unique, url } from './slipway';

const page_ = `${url()}/helm/ns/demo/elsewhere`;

test('a chart by its address is looked at first, and then its form comes', async ({ page }) => {
  await page.goto(page_);
  const field = page.getByRole('textbox', { name: 'Chart URL' });
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  await field.fill('ftp://example.org/x.tgz');
  await page.keyboard.press('Enter');
  await expect(page.getByText('An address starts with https://, http:// or oci://.')).toBeVisible();
  await field.fill(`${process.env.SLIPWAY_SAMPLES}/not-there-1.0.0.tgz`);
  await page.keyboard.press('Enter');
  await expect(page.getByText('There is no chart at this address.')).toBeVisible();
  await expect(field, 'what was typed stays').toHaveValue(/not-there/);
  await looksWell(page, 'elsewhere not found');

  const address = `${process.env.SLIPWAY_SAMPLES}/web-1.0.0.tgz`;
  await field.fill(address);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await looksWell(page, 'elsewhere found');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${url()}/helm/ns/demo/install-address/${encodeURIComponent(address)}`);
});

test('a registry lists its versions, as they are written', async ({ page }) => {
  const registry = await chartServer();
  try {
    await page.goto(page_);
    await page.getByRole('textbox', { name: 'Chart URL' }).fill(`${registry.oci}:1.0.0`);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
    const versions = page.getByRole('combobox', { name: 'Chart version' });
    await expect(versions).toHaveValue('1.0.0');
    await versions.selectOption('v1.0.0+b.1');
    await expect(page.getByRole('heading', { level: 2, name: 'web v1.0.0+b.1' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(`${url()}/helm/ns/demo/install-address/${encodeURIComponent(registry.oci)}?version=v1.0.0%2Bb.1`);
  } finally {
    registry.end();
  }
});

test('a release from a registry is upgraded to another tag of it', async ({ page, request }) => {
  const registry = await chartServer();
  const name = unique('tagged');
  try {
    const chart = { url: registry.oci, version: '1.0.0' };
    expect(await ended(request, await submit(request, { kind: 'install', namespace: 'demo', name, chart }))).toBe('succeeded');
    await page.goto(`${release('demo', name)}/upgrade`);
    await expect(page.getByRole('combobox', { name: 'Chart source' }).locator('option:checked')).toHaveText(registry.oci);
    const versions = page.getByRole('combobox', { name: 'Chart version' });
    await expect(versions.locator('option')).toHaveText(['v1.0.0+b.1', '1.0.0 (current)']);
    await expect(versions).toHaveValue('1.0.0');
    await versions.selectOption('v1.0.0+b.1');
    await page.getByRole('button', { name: 'Upgrade' }).click();
    await expect(page).toHaveURL(new RegExp(`/release/${name}`));
    await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
    const [last] = await (await request.get(`${url()}/api/v1/operations?namespace=demo&name=${name}`)).json();
    expect([last.kind, last.state, last.chart.url, last.chart.version]).toEqual(['upgrade', 'succeeded', registry.oci, 'v1.0.0+b.1']);
  } finally {
    registry.end();
  }
});

test('a private place leads to a repository with credentials', async ({ page }) => {
  const server = await chartServer(BASIC);
  try {
    await page.goto(page_);
    await page.getByRole('textbox', { name: 'Chart URL' }).fill(`${server.url}/web-1.0.0.tgz`);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText('This place asks for credentials')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add a repository with them' }).click();
    await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue(server.url);
  } finally {
    server.end();
  }
});

test('an archive is uploaded, looked at, found again after a reload, and installed', async ({ page }, testInfo) => {
  await page.goto(`${url()}/helm/all-namespaces/elsewhere`);
  await page.getByRole('button', { name: 'File' }).click();
  const file = page.locator('input[type=file]');
  const tgz = { name: 'web-1.0.0.tgz', mimeType: 'application/gzip', buffer: await archive('web-1.0.0.tgz') };
  await file.setInputFiles(tgz);
  await expect(page.getByText('Choose a namespace.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Namespace' }).fill('demo');
  await file.setInputFiles({ ...tgz, buffer: Buffer.alloc(1_400_000) });
  await expect(page.getByText(/web-1\.0\.0\.tgz has 1\.4 MB/)).toBeVisible();
  await file.setInputFiles({ ...tgz, buffer: Buffer.from('no archive') });
  await expect(page.getByText('The archive cannot be used')).toBeVisible();
  await looksWell(page, 'upload refused');

  await file.setInputFiles({ ...tgz, buffer: gzipSync('a text') });
  await expect(page.getByText('The archive cannot be used')).toBeVisible();

  await drop(page, testInfo, [tgz, { ...tgz, name: 'another.tgz' }]);
  await expect(page.getByText('A chart is one archive')).toBeVisible();
  await drop(page, testInfo, [tgz]);
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await expect(page).toHaveURL(/upload=[0-9a-f-]{36}/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await looksWell(page, 'upload');
  await page.getByRole('combobox', { name: 'Namespace' }).fill('demo');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/helm\/ns\/demo\/install-upload\/[0-9a-f-]{36}\?version=1\.0\.0$/);

  const name = unique('uploaded');
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}`));
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
});

test('an upload that the session ended in goes on by itself when there is another one', async ({ page }) => {
  tolerate(page, /net::ERR_FAILED .*\/uploads/);
  await page.goto(`${page_}?from=file`);
  let answer: 'signed out' | 'login page' | 'none' = 'signed out';
  const sent: string[] = [];
  await page.route('**/api/ui/**', (route) => (answer === 'none' ? route.continue() : route.fulfill({ status: 401, body: '' })));
  await page.route('**/api/v1/uploads?**', (route) => {
    sent.push(answer);
    if (answer === 'signed out') return route.fulfill({ status: 401, contentType: 'text/html', body: '<h1>Sign in</h1>' });
    // What leads to another server's page cannot be told from no answer.
    return answer === 'login page' ? route.abort() : route.continue();
  });
  const tgz = { name: 'web-1.0.0.tgz', mimeType: 'application/gzip', buffer: await archive('web-1.0.0.tgz') };
  for (const how of ['signed out', 'login page'] as const) {
    answer = how;
    await page.locator('input[type=file]').setInputFiles(tgz);
    await expect(page.getByRole('alert').filter({ hasText: 'What you typed and what you see here stays.' })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Sign in again to go on.' })).toBeVisible();
    await expect(page.getByText('The archive cannot be used')).toBeHidden();
    if (how === 'signed out') await looksWell(page, 'upload without a session');
    answer = 'none';
    await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('Your session has ended')).toHaveCount(0);
  }
  expect(sent).toEqual(['signed out', 'none', 'login page', 'none']);
});

/** Drops files onto the field, as with a mouse from the desktop. */
async function drop(page: Page, testInfo: TestInfo, dropped: { name: string; buffer: Buffer }[]) {
  const files = dropped.map(({ name, buffer }) => {
    const path = testInfo.outputPath(name);
    writeFileSync(path, buffer);
    return path;
  });
  const field = page.getByRole('group', { name: 'Chart archive' });
  await field.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await field.boundingBox())!;
  const browser = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files, dragOperationsMask: 1 };
    await browser.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await browser.detach();
}
