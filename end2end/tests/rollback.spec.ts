// The verbs of the menu: roll back to a revision of the table, run the tests, uninstall and keep the history.
import { expect, test } from './fixture';
import { chart, ended, expectAccessible, release, submit, unique } from './slipway';

const namespace = 'team-b';

/** A release with two revisions: the older chart, then the newer one. */
async function twice(request: import('@playwright/test').APIRequestContext, name: string) {
  const values = 'replicas: 1\n';
  const first = { kind: 'install', namespace, name, chart: await chart(request, 'web', '1.0.0'), values };
  expect(await ended(request, await submit(request, first))).toBe('succeeded');
  const second = { kind: 'upgrade', namespace, name, chart: await chart(request, 'web'), values };
  expect(await ended(request, await submit(request, second))).toBe('succeeded');
}

test('a release goes back to the revision that is chosen in the table', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('back');
  await twice(request, name);
  await page.goto(release(namespace, name));
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Rollback' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rollback Helm release' })).toBeFocused();
  const button = page.getByRole('button', { name: 'Rollback' });
  await expect(button).toBeDisabled();
  await expect(page.getByText('Choose a revision first.')).toBeVisible();
  await expect(page.getByRole('row', { name: /1\.0\.0/ })).toContainText('Superseded');
  await expect(page.getByRole('radio')).toHaveCount(1);
  await page.getByRole('radio', { name: 'Revision 1' }).focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/rollback\?revision=1$/);
  await expectAccessible(page);

  await test.step('a reload keeps the choice', async () => {
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Revision 1' })).toBeChecked();
  });

  await button.click();
  await expect(page.getByTestId('phase')).toHaveText(/Rolling back|Deployed/);
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
  await page.getByRole('link', { name: 'Revision history' }).click();
  await expect(page.getByRole('row', { name: /Rollback to 1/ })).toBeVisible();

  await test.step('a row of the history leads to the same page', async () => {
    await page.getByRole('link', { name: 'Rollback to revision 2' }).click();
    await expect(page.getByRole('radio', { name: 'Revision 2' })).toBeChecked();
    await expect(page.getByRole('radio')).toHaveCount(2);
  });
});

test('the tests of a release are run from its menu', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('tested');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await page.goto(release(namespace, name));
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Run tests' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run the release’s tests?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run tests' }).click();
  await expect(page.getByText('The release’s tests passed')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId('phase')).toHaveText('Deployed');
});

test('an uninstall that keeps the history leaves a way back', async ({ page, request }) => {
  test.setTimeout(150_000);
  const name = unique('kept');
  await twice(request, name);
  await page.goto(release(namespace, name));
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Uninstall' }).click();
  const dialog = page.getByRole('dialog', { name: 'Uninstall Helm release?' });
  await expect(dialog.getByRole('textbox', { name: 'Release name' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Uninstall' })).toBeDisabled();
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('checkbox', { name: 'Keep the history' })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Uninstall' }).click();
  const phase = page.getByTestId('phase');
  await expect(phase).toHaveText('Uninstalled', { timeout: 60_000 });
  await expect(page.getByText('Its resources are gone; its history was kept.')).toBeVisible();

  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: /Upgrade/ })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('menuitem', { name: 'Rollback' }).click();
  await page.getByRole('radio', { name: 'Revision 1' }).check();
  await page.getByRole('button', { name: 'Rollback' }).click();
  await expect(phase).toHaveText('Deployed', { timeout: 60_000 });
});
