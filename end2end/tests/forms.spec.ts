// What the forms know before they send: what helm would refuse, what is wrong and no longer is, and what a reload brings back.
import { expect, test, type Page } from './fixture';
import { chart, ended, looksWell, submit, unique, url } from './slipway';

const namespace = 'demo';

/** The chart of every answer asks for another Kubernetes, and is deprecated. */
async function unfit(page: Page) {
  await page.route('**/api/ui/chart', async (route) => {
    const answer = await (await route.fetch()).json();
    const kubernetes = { wanted: '>=1.99.0', cluster: '1.37.0', fits: false };
    await route.fulfill({ json: { ...answer, kubernetes, deprecated: true } });
  });
}

const says = 'It asks for Kubernetes >=1.99.0; this cluster has 1.37.0.';

test('a chart for another Kubernetes is told of in both forms, and not sent', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('unfit');
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web', '1.0.0'), values: '' });
  expect(await ended(request, id)).toBe('succeeded');
  await unfit(page);
  for (const [form, verb] of [
    [`install/samples/web`, 'Create'],
    [`release/${name}/upgrade`, 'Upgrade'],
  ]) {
    await page.goto(`${url()}/helm/ns/${namespace}/${form}`);
    await expect(page.getByText('This version cannot be installed here')).toBeVisible();
    await expect(page.getByText('This chart is deprecated')).toBeVisible();
    await expect(page.locator('#blocked')).toHaveText(says);
    await expect(page.getByRole('button', { name: verb, exact: true })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Preview' })).toBeDisabled();
  }
  await looksWell(page, 'upgrade to a version for another Kubernetes');
});

test('what was wrong is said until it is right, and a namespace that is not there is made by one press', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/web`);
  const name = page.getByRole('textbox', { name: 'Release name' });
  await name.fill('My App');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('One field needs a look')).toBeVisible();
  await expect(name).toBeFocused();
  await name.fill(unique('right'));
  await expect(page.getByText('One field needs a look')).toBeHidden();
  await expect(page.getByText('A unique name for the Helm release.')).toBeVisible();
  const where = page.getByRole('combobox', { name: 'Namespace' });
  await where.fill(unique('nowhere'));
  await page.getByRole('button', { name: 'Create it with the release' }).click();
  await expect(page.getByText('It is created with the release.')).toBeVisible();
});

test('a preview is in the address with what is shown of it, and outlives a reload', async ({ page, request }) => {
  test.setTimeout(180_000);
  const name = unique('seen');
  const web = await chart(request, 'web');
  const id = await submit(request, { kind: 'install', namespace, name, chart: web, values: 'replicas: 1\nextra: {kept: true}\n' });
  expect(await ended(request, id)).toBe('succeeded');
  await page.goto(`${url()}/helm/ns/${namespace}/release/${name}/upgrade`);
  await page.getByRole('textbox', { name: 'Values' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('replicas: 2\n');
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  await expect(dialog).toContainText('Compared with revision 1.', { timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Values', exact: true }).click();
  await expect(dialog).toContainText('kept: true');
  await expect(page).toHaveURL(/preview=[^&]+&show=values/);
  await page.reload();
  await expect(dialog).toContainText('kept: true', { timeout: 30_000 });
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/preview=/);
  await expect(page.getByRole('textbox', { name: 'Values' })).toContainText('replicas: 2');

  await page.getByText('Advanced options', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Values of the last revision' }).selectOption('Reuse');
  await page.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('button', { name: 'Values', exact: true }).click({ timeout: 60_000 });
  await expect(dialog.getByText('+1', { exact: true })).toBeVisible();
  await expect(dialog, 'what helm keeps is not told as removed').not.toContainText('-extra');
});

test('the form of a repository is brought back by a reload, without its secrets', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/repositories/add`);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Name').fill('kept');
  await field('URL').fill('https://charts.example.org');
  await page.getByRole('combobox', { name: 'Authentication' }).selectOption('User name and password');
  await field('User name').fill('me');
  await page.getByLabel('Password').fill('correct horse');
  await page.reload();
  await expect(field('Name')).toHaveValue('kept');
  await expect(field('User name')).toHaveValue('me');
  await expect(page.getByLabel('Password')).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('correct horse');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.goto(`${url()}/helm/ns/${namespace}/repositories/add`);
  await expect(field('Name')).toHaveValue('');
});

test('whoever sees a repository has it fetched now, also one of the settings', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/repositories`);
  await page.getByRole('button', { name: 'Actions for samples' }).click();
  await page.getByRole('menuitem', { name: 'Refresh' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refresh of samples' });
  await expect(dialog).toContainText(/It lists \d+ charts\./);
  await looksWell(page, 'repository refreshed');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).not.toHaveURL(/action=/);
  await expect(page.getByRole('row', { name: /samples/ })).toContainText(/Just now|seconds ago/);
});
