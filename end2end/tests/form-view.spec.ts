// A chart's values as a form: what is put into a field goes into the text, and nothing else of the text changes.
import { expect, test, tolerate, type Page } from './fixture';
import { chart, ended, expectAccessible, looksWell, release, submit, unique, url } from './slipway';

const namespace = 'team-a';

async function openForm(page: Page, of: string, name: string, query = '') {
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/${of}${query}`);
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
}

/** Types values into the editor: one update of the document, as pasting would make it. */
async function setValues(page: Page, values: string) {
  await page.getByRole('textbox', { name: 'Values, YAML' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(values);
}

/** The text in the YAML view. */
const yaml = (page: Page) => page.locator('yaml-editor').first().evaluate((editor: HTMLElement & { value: string }) => editor.value);

const view = (page: Page, name: string) => page.getByRole('radio', { name });

/** Opens a group of fields. */
const open = (page: Page, name: string) => page.getByRole('button', { name, exact: true, expanded: false }).click();

test('a chart with a schema is filled in as a form, and installed with what was changed alone', async ({ page, request }) => {
  test.setTimeout(240_000);
  const name = unique('queue');
  await openForm(page, 'schema', name);
  await expect(view(page, 'Form view')).toBeChecked();
  await page.getByRole('textbox', { name: 'Replicas' }).fill('2');
  await page.getByRole('combobox', { name: 'Log level' }).selectOption('debug');
  await open(page, 'Storage');
  await page.getByRole('textbox', { name: 'Size (GiB)' }).fill('2.5');
  await open(page, 'Queues');
  await page.getByRole('button', { name: '+ Add item' }).click();
  await page.getByRole('group', { name: 'Item 2' }).getByRole('textbox', { name: 'name' }).fill('urgent');
  await looksWell(page, 'form view');
  await page.getByRole('button', { name: /^Move up: Item 2/ }).click();
  await page.getByText('Only your changes are stored with the release. Show them').click();
  const pressed = page.waitForRequest('**/api/ui/submit');
  await page.getByRole('button', { name: 'Create' }).click();
  const { values } = (await pressed).postDataJSON().request;
  expect(values).toContain('replicas: 2');
  expect(values).toContain('logLevel: debug');
  expect(values).toContain('sizeGiB: 2.5');
  expect(values).not.toContain('environment');
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 90_000 });
  const map = await request.get(`${url()}/api/v1/namespaces/${namespace}/releases/${name}/values`);
  expect((await map.json()).user).toMatch(/urgent[\s\S]*default/);
});

test('between form and YAML no comment, no order, no number and no null is lost', async ({ page }) => {
  await openForm(page, 'web', unique('lossless'), '?view=yaml');
  const text = [
    '# The whole of it.',
    'replicas:   2   # many',
    '',
    'big: 9007199254740993',
    'octal: 0123',
    'word: "1e3"',
    'nothing: null',
    'tilde: ~',
    'image: {repository: nginx, tag: ""} # in one line',
    'million: 1000000',
    '',
  ].join('\n');
  await setValues(page, text);
  await view(page, 'Form view').check();
  await expect(page.getByText('This chart has no schema')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'big' })).toHaveValue('9007199254740993');
  await expect(page.getByRole('textbox', { name: 'octal' })).toHaveValue('0123');
  await expect(page.getByRole('textbox', { name: 'word' })).toHaveValue('1e3');
  await view(page, 'YAML view').check();
  expect(await yaml(page)).toBe(text);

  await view(page, 'Form view').check();
  await page.getByRole('textbox', { name: 'replicas' }).fill('3');
  await view(page, 'YAML view').check();
  await expect.poll(() => yaml(page)).toBe(text.replace('replicas:   2', 'replicas: 3'));
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Values, YAML' })).toContainText('9007199254740993');
  expect(await yaml(page)).toContain('tilde: ~');
});

test('what the schema does not allow is said at its field, and leads there from the list', async ({ page }) => {
  test.setTimeout(180_000);
  await openForm(page, 'schema', unique('wrong'));
  await page.getByRole('textbox', { name: 'Replicas' }).fill('10');
  const problems = page.getByRole('status').filter({ hasText: /as the chart asks/ });
  await expect(problems).toContainText('replicas');
  await expect(page.getByRole('textbox', { name: 'Replicas' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('textbox', { name: 'Find a field' }).or(page.getByRole('searchbox', { name: 'Find a field' })).fill('e-mail');
  await page.getByRole('textbox', { name: 'owner › E-mail' }).fill('nobody');
  await expect(problems.getByRole('button', { name: /owner\.email/ })).toBeVisible();
  await problems.getByRole('button', { name: /owner\.email/ }).click();
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeFocused();
  await looksWell(page, 'form view with errors');

  await view(page, 'YAML view').check();
  await problems.getByRole('button', { name: /replicas/ }).click();
  await expect(page.getByRole('textbox', { name: 'Values, YAML' })).toBeFocused();
  await expect(page.locator('.cm-lint-marker-error').first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo all changes' }).click();
  await expect(problems).toBeHidden();
});

test('values that the schema does not allow are shown before they are sent, and helm has the word where nobody else can tell', async ({ page }) => {
  test.setTimeout(180_000);
  tolerate(page, /net::ERR_FAILED .*\/check_values/);
  const name = unique('stopped');
  await openForm(page, 'schema', name);
  const sent: object[] = [];
  page.on('request', (request) => request.url().endsWith('/api/ui/submit') && sent.push(request.postDataJSON()));
  const replicas = page.getByRole('textbox', { name: 'Replicas' });
  await replicas.fill('10');
  // At once: nothing has been said of it yet.
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(replicas).toBeFocused();
  await expect(replicas).toHaveAttribute('aria-invalid', 'true');
  const stopped = page.getByRole('alert').filter({ hasText: 'Nothing was sent' });
  await expect(stopped).toContainText('1 value is not as the chart asks');
  await looksWell(page, 'form stopped by its schema');
  await view(page, 'YAML view').check();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('textbox', { name: 'Values, YAML' })).toBeFocused();
  expect(await yaml(page), 'nothing is lost').toContain('replicas: 10');
  expect(sent).toEqual([]);

  // What was mended is not held up any more.
  await view(page, 'Form view').check();
  await replicas.fill('2');
  await expect(stopped).toBeHidden();
  await replicas.fill('10');
  await page.route('**/api/ui/check_values', (route) => route.abort());
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}`));
  await expect(page.getByTestId('phase')).toHaveText(/Failed/, { timeout: 60_000 });

  // A browser that did not send it has it from the server.
  await page.unroute('**/api/ui/check_values');
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/schema?again=${name}&view=yaml`);
  await expect(page.getByRole('textbox', { name: 'Release name' })).toHaveValue(name);
  const note = page.getByRole('status').filter({ hasText: 'This browser does not have what was sent' });
  await expect(note).toContainText('The form is filled in from the server');
  await expect.poll(() => yaml(page)).toContain('replicas: 10');
  await looksWell(page, 'form filled in from the server');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Send it all the same' }).click();
  await expect.poll(() => sent.length).toBe(2);
});

test('another version keeps what was changed, and says where the chart has changed it too', async ({ page }) => {
  await openForm(page, 'schema', unique('merged'), '?version=0.9.0&view=yaml');
  const editor = page.getByRole('textbox', { name: 'Values, YAML' });
  await expect(editor).toContainText('epmd: 4369');
  await setValues(page, (await yaml(page)).replace('logLevel: warning', 'logLevel: error').replace('epmd: 4369', 'epmd: 4370').replace('replicas: 1', 'replicas: 3'));
  await page.getByRole('combobox', { name: 'Chart version' }).selectOption('1.0.0');
  const notes = page.getByRole('status').filter({ hasText: 'some of them need a look' });
  await expect(notes).toContainText('logLevel: the chart’s default has changed from warning to info. Yours, error, stays.');
  await expect(notes).toContainText('network.ports.epmd: the chart has no such value any more. Yours, 4370, stays.');
  await expectAccessible(page);
  expect(await yaml(page)).toContain('replicas: 3');
  await page.reload();
  await expect(notes).toContainText('logLevel');
  await notes.getByRole('button', { name: 'Use the chart’s' }).click();
  await notes.getByRole('button', { name: 'Remove it' }).click();
  await expect(notes).toBeHidden();
  const now = await yaml(page);
  expect(now).toContain('logLevel: info');
  expect(now).not.toContain('epmd: 4370');
  expect(now).toContain('replicas: 3');
});

test('values come from a file and from another release, and what was typed is not given up without a word', async ({ page, request }) => {
  test.setTimeout(180_000);
  const other = unique('donor');
  const body = { kind: 'install', namespace, name: other, chart: await chart(request, 'web'), values: 'replicas: 1\npage: of the donor\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await openForm(page, 'web', unique('taker'), '?view=yaml');
  await expect(page.getByRole('textbox', { name: 'Values, YAML' })).toContainText('nodeSelector');
  const file = (content: string) => ({ name: 'my.yaml', mimeType: 'application/yaml', buffer: Buffer.from(content) });
  await page.locator('input[type=file]').setInputFiles(file('replicas: 4 # of the file\n'));
  await expect.poll(() => yaml(page)).toBe('replicas: 4 # of the file\n');
  await page.getByRole('button', { name: 'Use another release’s values' }).click();
  const list = page.getByRole('dialog', { name: 'Use another release’s values' });
  await list.getByRole('textbox', { name: 'Filter by name or namespace' }).fill(other);
  await list.getByRole('button', { name: other }).click();
  const shown = page.getByRole('dialog', { name: /^Use the values of/ });
  await expect(shown).toContainText('The values that you have typed are replaced');
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'Use these values' }).click();
  await expect.poll(() => yaml(page)).toContain('page: of the donor');
  await page.locator('input[type=file]').setInputFiles(file('x'.repeat(600 * 1024)));
  await expect(page.getByText('The file is too large')).toBeVisible();
});

test('an upgrade shows what it changes, tells the same in a terminal, and does not overwrite what others did', async ({ page, request }) => {
  test.setTimeout(240_000);
  const name = unique('changed');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\nstartup:\n  seconds: 0\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await page.goto(`${release(namespace, name)}/upgrade?view=yaml`);
  await setValues(page, 'replicas: 2 # mine\nstartup:\n  seconds: 0\n');
  await page.getByRole('button', { name: 'The same in a terminal' }).click();
  const terminal = page.getByRole('dialog', { name: 'The same in a terminal' });
  await expect(terminal).toContainText(`helm upgrade`);
  await expect(terminal).toContainText(name);
  await looksWell(page, 'in a terminal');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview' });
  await expect(preview.getByText('replicas: 2')).toBeVisible({ timeout: 60_000 });
  await looksWell(page, 'preview of an upgrade');
  await preview.getByRole('button', { name: 'Side by side' }).click();
  await preview.getByRole('button', { name: 'Values' }).click();
  await expect(preview).toContainText('replicas: 2');
  await page.keyboard.press('Escape');

  // Somebody else is quicker.
  const theirs = { ...body, kind: 'upgrade', values: 'replicas: 1\npage: theirs\nstartup:\n  seconds: 0\n' };
  expect(await ended(request, await submit(request, theirs))).toBe('succeeded');
  const warning = page.getByRole('alert').filter({ hasText: 'This release has been changed since' });
  await expect(warning).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'is at revision 2, and not at 1 any more' })).toBeVisible();
  await looksWell(page, 'stale upgrade');
  await warning.getByRole('button', { name: 'Load the new values' }).click();
  await expect(warning).toBeHidden();
  await expect.poll(() => yaml(page)).toContain('page: theirs');
  expect(await yaml(page)).toContain('replicas: 2');
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
});

test('a chart by its address is installed, and its release upgraded from there', async ({ page }) => {
  test.setTimeout(240_000);
  const address = `${process.env.SLIPWAY_SAMPLES}/web-1.0.0.tgz`;
  await page.goto(`${url()}/helm/ns/${namespace}/install-address/${encodeURIComponent(address)}`);
  await expect(page.getByRole('textbox', { name: 'Release name' })).toHaveValue('web');
  const name = unique('by-address');
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
  await expect(page.getByText('From the chart web 1.0.0')).toBeVisible();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
  await page.goto(`${release(namespace, name)}/upgrade`);
  await page.getByRole('combobox', { name: 'Chart source' }).selectOption({ label: 'Another address…' });
  await expect(page.getByText('Say where the chart is to come from.')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Address of the chart' });
  await field.fill(`${process.env.SLIPWAY_SAMPLES}/web-1.1.0.tgz`);
  await field.press('Tab');
  await expect(page.getByRole('button', { name: 'Upgrade' })).toBeEnabled();
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
  await expect(page.getByText('1.1.0').first()).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('the form fits, and so does the YAML, with its offers', async ({ page }) => {
    test.setTimeout(180_000);
    await openForm(page, 'schema', unique('narrow'));
    await open(page, 'Queues');
    await open(page, 'Item 1: default');
    await page.getByRole('checkbox', { name: 'durable' }).uncheck();
    await page.getByRole('group', { name: 'Queues' }).getByRole('textbox', { name: 'name' }).fill('Bad');
    await expect(page.getByRole('group', { name: 'Queues' })).toContainText('1 problem inside');
    await looksWell(page, 'form on a phone');
    await view(page, 'YAML view').check();
    await setValues(page, '');
    await page.keyboard.type('envi');
    const offer = (words: string) => page.locator('.cm-tooltip-autocomplete li').filter({ hasText: words });
    await offer('environment').click();
    await page.keyboard.type('st');
    await offer('staging').click();
    await expect.poll(() => yaml(page)).toBe('environment: staging');
  });
});

test('what was sent is in the form again when it came to nothing', async ({ page }) => {
  test.setTimeout(180_000);
  const name = unique('nothing');
  await openForm(page, 'refused', name, '?view=yaml');
  await setValues(page, '# mine\nmissingCrd: true\n');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByTestId('phase')).toHaveText(/Install failed|Failed/, { timeout: 90_000 });
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/refused?view=yaml`);
  await expect(page.getByRole('textbox', { name: 'Values, YAML' })).not.toContainText('# mine');
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/refused?view=yaml&again=${name}`);
  await expect(page.getByRole('textbox', { name: 'Values, YAML' })).toContainText('# mine');
  await expect(page.getByRole('textbox', { name: 'Release name' })).toHaveValue(name);
});
