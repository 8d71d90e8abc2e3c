// What went wrong is said in the words that matter, and each way out leads somewhere else than into the same failure.
import { expect, test } from './fixture';
import { kubernetes } from './cluster';
import { chart, ended, looksWell, release, submit, unique, url } from './slipway';

const namespace = 'demo';

test('a wrong value is told with its field, and cured by other values', async ({ page, request }) => {
  test.setTimeout(180_000);
  const name = unique('wrong');
  const values = 'replicas: many\n';
  const source = await chart(request, 'web');
  await ended(request, await submit(request, { kind: 'install', namespace, name, chart: source, values }));
  await page.goto(release(namespace, name));
  await expect(page.getByTestId('phase')).toHaveText('Failed', { timeout: 60_000 });
  await expect(page.getByText(/A value is wrong: \.spec\.replicas: expected/).first()).toBeVisible();
  await expect(page.getByText('Permanent', { exact: true }).first()).toBeVisible();
  // Nobody works on what is not there.
  await expect(page.locator('.release-health')).not.toHaveClass(/tone-progress/);
  await looksWell(page, 'failed for a wrong value');
  await page.getByRole('link', { name: 'Edit the values' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}/upgrade`));
});

test('a namespace that is missing is created on the way out, and nothing is said to be in the way', async ({ page, request }) => {
  test.setTimeout(180_000);
  const [name, missing] = [unique('lost'), unique('nowhere')];
  const source = await chart(request, 'web');
  await ended(request, await submit(request, { kind: 'install', namespace: missing, name, chart: source }));
  await page.goto(release(missing, name));
  await expect(page.getByText(`Error: The namespace ${missing} does not exist.`)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Let the install create the namespace' }).click();
  await expect(page.getByRole('checkbox', { name: 'Create the namespace' })).toBeChecked();
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
  await page.getByRole('combobox', { name: 'Namespace' }).or(page.getByRole('textbox', { name: 'Namespace' })).fill(missing);
  await expect(page.getByText(/is there already/)).toBeHidden();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 90_000 });
  await kubernetes('DELETE', `/api/v1/namespaces/${missing}`);
});
