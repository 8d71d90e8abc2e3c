// The rarer fields of the form, what the editor says by itself, and what is said of a name as it is typed.
import { expect, test, type Page } from './fixture';
import { chart, ended, looksWell, submit, unique, url } from './slipway';

const namespace = 'team-a';

async function openForm(page: Page, of: string, name: string, query = '') {
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/${of}${query}`);
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
}

/** The text in the YAML view. */
const yaml = (page: Page) => page.locator('yaml-editor').first().evaluate((editor: HTMLElement & { value: string }) => editor.value);
const inYaml = async (page: Page, text: string) => {
  await page.getByRole('radio', { name: 'YAML view' }).check();
  const found = await yaml(page);
  await page.getByRole('radio', { name: 'Form view' }).check();
  expect(found).toContain(text);
};
const open = (page: Page, name: string) => page.getByRole('button', { name, exact: true, expanded: false }).click();

test('alternatives, null, names of one’s own, anything else, and a chart in the chart are given in the form', async ({ page, request }) => {
  test.setTimeout(240_000);
  const name = unique('fields');
  await openForm(page, 'schema', name);
  const backup = page.getByRole('group', { name: 'Backup', exact: true });
  const kind = backup.getByRole('combobox', { name: 'Backup' });
  await test.step('one of several mappings; what was given in another one is kept', async () => {
    await kind.selectOption('Into a bucket');
    await backup.getByRole('textbox', { name: 'Bucket' }).fill('copies');
    await kind.selectOption('No backup');
    await expect(backup.getByRole('textbox', { name: 'Bucket' })).toBeHidden();
    await kind.selectOption('Into a bucket');
    await expect(backup.getByRole('textbox', { name: 'Bucket' })).toHaveValue('copies');
    await inYaml(page, '  bucket: copies\n');
  });
  await test.step('one of several kinds of value', async () => {
    const memory = page.getByRole('group', { name: 'Memory', exact: true });
    await expect(memory.getByRole('combobox', { name: 'Memory' }).locator('option:checked')).toHaveText('As a quantity');
    await memory.getByRole('combobox', { name: 'Memory' }).selectOption('In MiB');
    await memory.getByRole('textbox', { name: 'In MiB' }).fill('512');
    await inYaml(page, 'memory: 512\n');
  });
  await test.step('null', async () => {
    await open(page, 'Owner');
    const owner = page.getByRole('group', { name: 'Owner', exact: true });
    await owner.getByRole('checkbox', { name: 'Null' }).check();
    await expect(owner.getByRole('textbox', { name: 'On call' })).toBeDisabled();
    await inYaml(page, 'onCall: null');
  });
  await test.step('names of one’s own', async () => {
    await open(page, 'Further labels');
    const labels = page.getByRole('group', { name: 'Further labels', exact: true });
    const adder = labels.getByRole('textbox', { name: 'Name of the new value in Further labels' });
    await adder.press('Enter');
    await expect(labels.getByText('Give it a name.')).toBeVisible();
    await adder.fill('tier');
    await adder.press('Enter');
    await expect(labels.getByRole('textbox', { name: 'tier' })).toBeFocused();
    await page.keyboard.type('gold');
    await adder.fill('tier');
    await adder.press('Enter');
    await expect(labels.getByText('There is one of that name.')).toBeVisible();
  });
  await test.step('anything else, as YAML', async () => {
    const extra = page.getByRole('textbox', { name: 'Further settings' });
    await extra.fill('{a: [');
    await expect(page.getByText(/This is not YAML/)).toBeVisible();
    await extra.fill('{a: [1, 2]}');
    await expect(page.getByText(/This is not YAML/)).toBeHidden();
  });
  await test.step('the values of a chart in the chart, by its own schema', async () => {
    await open(page, 'console');
    await page.getByRole('checkbox', { name: 'With a console' }).check();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('bright');
  });
  await looksWell(page, 'fields of all kinds', true);
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 90_000 });
  const { user } = await (await request.get(`${url()}/api/v1/namespaces/${namespace}/releases/${name}/values`)).json();
  for (const part of ['bucket: copies', 'memory: 512', 'onCall: null', 'tier: gold', 'theme: bright']) expect(user).toContain(part);
});

test('the editor says what a name is when the pointer rests on it', async ({ page }) => {
  await openForm(page, 'schema', unique('hover'), '?view=yaml');
  const editor = page.getByRole('textbox', { name: 'Values, YAML' });
  await expect(editor).toContainText('replicas: 1');
  const said = page.locator('.cm-said');
  // What is known of the values comes after the text; until then nothing is said, and the pointer has to rest anew.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await editor.getByText('replicas', { exact: true }).first().hover();
    await expect(said).toContainText('How many brokers', { timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await page.mouse.move(0, 0);
  await expect(said).toBeHidden();
});

test('a name that is taken is told as it is typed', async ({ page, request }) => {
  const name = unique('there');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await openForm(page, 'web', name);
  const hint = page.getByText(`A release ${name} is there already. Choose another name, or upgrade that one.`);
  await expect(hint).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Release name' })).toHaveAccessibleDescription(/is there already/);
  await looksWell(page, 'name that is taken');
  await page.getByRole('textbox', { name: 'Release name' }).fill(`${name}-2`);
  await expect(hint).toBeHidden();
});

test('a chart without values says so', async ({ page }) => {
  await openForm(page, 'plain', unique('plain'));
  await page.getByRole('radio', { name: 'Form view' }).check();
  await expect(page.getByText('This chart has no values to set.')).toBeVisible();
  await looksWell(page, 'chart without values');
});
