// What helm would make is seen before anything is stored, and so is why it would not.
import { expect, test, type Page } from './fixture';
import { chart, ended, looksWell, submit, unique, url } from './slipway';

const namespace = 'team-a';

async function openForm(page: Page, of: string, name: string) {
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/${of}`);
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
}

async function setValues(page: Page, values: string) {
  await page.getByRole('textbox', { name: 'Values' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(values);
}

test('an install is previewed by keyboard, stores nothing, and is then made by the same form', async ({ page, request }) => {
  test.setTimeout(240_000);
  const name = unique('previewed');
  await openForm(page, 'web', name);
  await setValues(page, 'replicas: 3\n');
  const button = page.getByRole('button', { name: 'Preview' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  await expect(dialog).toContainText('Nothing of it is stored, and no hook has run.', { timeout: 60_000 });
  await expect(dialog.getByRole('heading', { level: 3, name: /Deployment/ })).toBeVisible();
  await expect(dialog.getByRole('heading', { level: 3, name: /Service/ })).toBeVisible();
  await looksWell(page, 'preview');
  await dialog.getByRole('textbox', { name: 'Search the manifests' }).fill('replicas: 3');
  await expect(dialog.getByText('1 object', { exact: true })).toBeVisible();
  await expect(dialog.getByText('replicas: 3')).toBeVisible();
  await expect(dialog.getByRole('heading', { level: 3, name: /Service/ })).toBeHidden();
  await dialog.getByRole('button', { name: 'Release notes' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Search the manifests' })).toBeHidden();

  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  const view = await (await request.get(`${url()}/api/v1/namespaces/${namespace}/releases/${name}`)).json();
  expect(view.phase?.phase ?? 'notFound').toBe('notFound');

  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}`));
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
});

test('why a chart would be refused is told in the preview', async ({ page }) => {
  test.setTimeout(240_000);
  await openForm(page, 'refused', unique('refused'));
  await setValues(page, 'missingCrd: true\n');
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  await dialog.getByText('What Helm said').click({ timeout: 60_000 });
  await expect(dialog).toContainText(/Error: /);
  await looksWell(page, 'preview refused');
});

test('what is wrong in the form is told there, and nothing is sent', async ({ page }) => {
  await openForm(page, 'web', unique('wrong'));
  await setValues(page, 'broken: [\n');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /line \d/i })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a preview that is closed early leaves the form as it was, and the release free', async ({ page, request }) => {
  test.setTimeout(240_000);
  const name = unique('closed');
  await openForm(page, 'web', name);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('dialog', { name: 'Preview' })).toBeVisible();
  const cancelled = page.waitForResponse('**/api/ui/cancel');
  await page.keyboard.press('Escape');
  await cancelled;
  await expect(page.getByRole('textbox', { name: 'Release name' })).toHaveValue(name);

  // The dry run is over soon, and nothing of it is in the way.
  const known = await request.get(`${url()}/api/v1/operations?namespace=${namespace}&name=${name}`);
  const [dryRun] = await known.json();
  await ended(request, dryRun.id);
  const own = new RegExp(`/release/${name}`);
  // Its runner gives the release back just after that is to be seen.
  await expect(async () => {
    if (!own.test(page.url())) await page.getByRole('button', { name: 'Create' }).click({ timeout: 5_000 });
    await expect(page).toHaveURL(own, { timeout: 10_000 });
  }).toPass({ timeout: 60_000 });
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
});

test('an upgrade is previewed with its new values', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('upgraded');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await page.goto(`${url()}/helm/ns/${namespace}/release/${name}/upgrade`);
  const button = page.getByRole('button', { name: 'Preview' });
  await expect(button).toBeDisabled();
  await setValues(page, 'replicas: 2\n');
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  await expect(dialog).toContainText('Nothing of it is stored', { timeout: 60_000 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Values' })).toContainText('replicas: 2');
  const view = await (await request.get(`${url()}/api/v1/namespaces/${namespace}/releases/${name}`)).json();
  expect(view.record.revision).toBe(1);
});
