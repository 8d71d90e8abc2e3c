// Charts that are in no repository: by an address, in a registry, uploaded.
import { expect, test } from './fixture';
import { BASIC, archive, chartServer } from './charts';
import { expectAccessible, looksWell, url } from './slipway';

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

test('an archive is uploaded, looked at, and found again after a reload', async ({ page }) => {
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

  // Dropped, as with a mouse.
  const data = await page.evaluateHandle(([name, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes as number[])], name as string, { type: 'application/gzip' }));
    return data;
  }, [tgz.name, [...tgz.buffer]] as const);
  await page.getByRole('group', { name: 'Chart archive' }).dispatchEvent('drop', { dataTransfer: data });
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await expect(page).toHaveURL(/upload=[0-9a-f-]{36}/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await looksWell(page, 'upload');
  await page.getByRole('combobox', { name: 'Namespace' }).fill('demo');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/helm\/ns\/demo\/install-upload\/[0-9a-f-]{36}\?version=1\.0\.0$/);
});
