// The options of the verbs that have a dialog, or a page of their own, in place of a form: folded away, checked, and sent.
import { expect, test, type Page } from './fixture';
import { chart, ended, expectAccessible, looks, looksWell, release, snap, submit, unique, url } from './slipway';

const namespace = 'team-b';
const name = unique('options');

// Each is looked at in four ways.
test.describe.configure({ mode: 'serial', timeout: 240_000 });

test.beforeAll(async ({ request }) => {
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  expect(await ended(request, await submit(request, { ...body, kind: 'upgrade' }))).toBe('succeeded');
});

/** The options of the next submission. */
const sent = async (page: Page) => (await page.waitForRequest('**/api/ui/submit')).postDataJSON().request.options;

for (const [look, options] of looks) {
  test.describe(look, () => {
    test.use(options);
    test('the menu of a row in the list is whole', async ({ page }) => {
      await page.goto(`${url()}/helm/ns/${namespace}/releases?name=${name}`);
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await expect(page.getByRole('menuitem')).toHaveCount(4);
      await expectAccessible(page);
      await snap(page, 'row menu', look);
      const menu = (await page.getByRole('menu').boundingBox())!;
      expect(menu.x).toBeGreaterThanOrEqual(0);
      expect(menu.x + menu.width).toBeLessThanOrEqual(page.viewportSize()!.width);
    });
  });
}

test('tests take a time-out, and one that cannot be read is told where it is', async ({ page }) => {
  await page.goto(`${release(namespace, name)}?action=test`);
  const dialog = page.getByRole('dialog', { name: 'Run the release’s tests?' });
  const run = dialog.getByRole('button', { name: 'Run tests' });
  await expect(run).toBeFocused();
  await expect(dialog.getByRole('textbox', { name: 'Time-out' })).toBeHidden();
  await looksWell(page, 'tests dialog');
  // By keyboard: the options, and the command for a terminal, come before the buttons.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  const timeout = dialog.getByRole('textbox', { name: 'Time-out' });
  await page.keyboard.press('Tab');
  await expect(timeout).toBeFocused();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await timeout.fill('soon');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Give minutes and seconds, as in 5m, 90s or 2m30s.');
  await expect(timeout).toBeFocused();
  await looksWell(page, 'tests dialog with an error');
  await timeout.fill('1m30s');
  const options = sent(page);
  await page.keyboard.press('Enter');
  expect(await options).toMatchObject({ timeout: 90 });
  await expect(page.getByText('The release’s tests passed')).toBeVisible({ timeout: 60_000 });
});

test('a rollback takes its options from its page', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/rollback?revision=1`);
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Wait until everything is ready' }).uncheck();
  await page.getByRole('checkbox', { name: 'Skip hooks' }).check();
  await page.getByRole('textbox', { name: 'Time-out' }).fill('2m');
  await looksWell(page, 'rollback options');
  const options = sent(page);
  await page.getByRole('button', { name: 'Rollback' }).click();
  expect(await options).toMatchObject({ revision: 1, wait: false, skipHooks: true, timeout: 120 });
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
});

test('an uninstall takes its options from its dialog', async ({ page }) => {
  await page.goto(`${release(namespace, name)}?action=uninstall`);
  const dialog = page.getByRole('dialog', { name: 'Uninstall Helm release?' });
  await looksWell(page, 'uninstall dialog');
  await dialog.getByRole('textbox', { name: 'Release name' }).fill(name);
  await dialog.getByRole('checkbox', { name: 'Keep the history' }).check();
  await dialog.getByText('Options', { exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'Wait until everything is gone' }).uncheck();
  await dialog.getByRole('textbox', { name: 'Description' }).fill('moved elsewhere');
  await looksWell(page, 'uninstall options');
  const options = sent(page);
  await dialog.getByRole('button', { name: 'Uninstall' }).click();
  expect(await options).toMatchObject({ keepHistory: true, wait: false, description: 'moved elsewhere' });
  await expect(page.getByTestId('phase')).toHaveText('Uninstalled', { timeout: 60_000 });
  await page.getByRole('link', { name: 'Revision history' }).click();
  await expect(page.getByRole('row', { name: /moved elsewhere/ })).toBeVisible();
});
