// The main job: choose a chart, press Create, have the answer at once, and watch a long install to its end.
import { expect, test } from './fixture';
import { chart, expectAccessible, submit, unique, url } from './slipway';

const namespace = 'demo';

/** Opens the form for a chart of the samples and gives the release its name. */
async function openForm(page: import('@playwright/test').Page, of: string, name: string) {
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/${of}`);
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
}

/** Types values into the editor: one update of the document, as pasting would make it. */
async function setValues(page: import('@playwright/test').Page, values: string) {
  const editor = page.getByRole('textbox', { name: 'Values' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(values);
}

test('a person picks the umbrella chart, submits, and watches it come up to its end', async ({ page }) => {
  test.setTimeout(180_000);
  const name = unique('platform');
  await page.goto(`${url()}/helm/ns/${namespace}/catalog`);
  await page.getByRole('link', { name: 'platform', exact: true }).first().click();
  await page.getByRole('link', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Create Helm release' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
  await setValues(page, 'global:\n  startup:\n    seconds: 25\n');

  const pressed = Date.now();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}`));
  expect(Date.now() - pressed, 'the answer comes long before helm is done').toBeLessThan(5_000);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

  const phase = page.getByTestId('phase');
  await expect(phase).toHaveText(/Installing/);
  const progress = page.getByRole('progressbar', { name: 'Resources ready' });
  await expect(progress).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/\d+ of \d{3} resources ready/)).toBeVisible();
  await expectAccessible(page);

  await test.step('a reload in mid-install comes back to the same state', async () => {
    await page.reload();
    await expect(phase).toHaveText(/Installing/);
    await expect(progress).toBeVisible();
  });

  await expect(phase).toHaveText('Deployed', { timeout: 120_000 });
  await expect(page.getByText(/^(\d+) of \1 resources ready$/)).toBeVisible({ timeout: 30_000 });
});

test('a name that is in use is said so at the form, and nothing typed is lost', async ({ page, request }) => {
  const name = unique('taken');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web') };
  await submit(request, body);
  await openForm(page, 'web', name);
  await setValues(page, '# kept\nreplicas: 1\n');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('alert').filter({ hasText: name })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Release name' })).toHaveValue(name);
  await expect(page.getByRole('textbox', { name: 'Values' })).toContainText('# kept');
});

test('a name that helm would refuse is refused as it is typed', async ({ page }) => {
  await openForm(page, 'web', 'Not_Valid');
  await expect(page.getByText(/character 1 is 'N'/)).toBeVisible();
});

test('values that are not YAML are refused with their line, and the form keeps them', async ({ page }) => {
  await openForm(page, 'web', unique('bad-values'));
  await setValues(page, 'replicas: 1\nbroken: [\n');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('alert').filter({ hasText: /line \d/i })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Values' })).toContainText('broken: [');
});
