// An operation that is under way is cancelled from its page, where helm can end cleanly; where it cannot, the button says why.
import { expect, test } from './fixture';
import { chart, ended, expectAccessible, picture, release, submit, unique } from './slipway';

const namespace = 'team-a';

test('a slow install is cancelled, what it made stays, and there is a way on', async ({ page, request }) => {
  test.setTimeout(150_000);
  const name = unique('cancelled');
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'platform') });
  await page.goto(release(namespace, name));
  const phase = page.getByTestId('phase');
  await expect(phase).toHaveText('Installing');
  await expect(page.getByRole('progressbar', { name: 'Resources ready' })).toBeVisible({ timeout: 60_000 });

  const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  await cancel.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Cancel the operation?' });
  await expect(dialog).toContainText('It has 30 seconds to end cleanly');
  await expect(dialog).toContainText('What was created or changed so far stays');
  await expectAccessible(page);
  await picture(page, 'cancel dialog');

  await test.step('Escape leaves it alone and gives the focus back', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(cancel).toBeFocused();
    await expect(phase).toHaveText('Installing');
  });

  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel operation' }).click();
  // helm may have ended before the page heard of the wish.
  const cancelling = page.getByText(/^Cancelling… asked for by \S+$/);
  await expect(cancelling.or(page.getByText('The install was cancelled'))).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();

  await expect(phase).toHaveText('Cancelled', { timeout: 60_000 });
  expect(await ended(request, id)).toBe('cancelled');
  await expect(page.getByText('The install was cancelled')).toBeVisible();
  await expect(page.getByText(/What it had created until then is still there/)).toBeVisible();
  await expect(page.getByText(/\d+ of \d{3} resources ready/)).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'cancelled');

  await test.step('it is run again, over what is there', async () => {
    await page.getByRole('button', { name: 'Run again' }).click();
    const again = page.getByRole('dialog', { name: 'Run it again?' });
    await expect(again).toContainText('--replace');
    await again.getByRole('button', { name: 'Run again' }).click();
    await expect(phase).toHaveText('Installing');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel operation' }).click();
    await expect(phase).toHaveText('Cancelled', { timeout: 60_000 });
  });
});

test('a rollback cannot be cancelled, and the button says why', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('no-cancel');
  const web = await chart(request, 'web');
  const slow = { kind: 'install', namespace, name, chart: web, values: 'startup:\n  seconds: 15\n' };
  expect(await ended(request, await submit(request, slow))).toBe('succeeded');
  expect(await ended(request, await submit(request, { ...slow, kind: 'upgrade', values: 'replicas: 1\n' }))).toBe('succeeded');
  await submit(request, { kind: 'rollback', namespace, name, options: { revision: 1 } });
  await page.goto(release(namespace, name));
  await expect(page.getByTestId('phase')).toHaveText('Rolling back');
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  await expect(cancel).toHaveAttribute('aria-disabled', 'true');
  await cancel.focus();
  await expect(page.getByRole('tooltip')).toContainText('Helm cannot be stopped cleanly in the middle of this');
  await expect(page.getByRole('tooltip')).toBeVisible();
  await picture(page, 'cancel not possible');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectAccessible(page);
});

test('the list leads to the same dialog', async ({ page, request }) => {
  const name = unique('from-list');
  const values = 'startup:\n  seconds: 40\n';
  await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values });
  await page.goto(`${release(namespace, name).replace(/release\/.*/, 'releases')}?name=${name}`);
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Installing');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Cancel operation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel operation' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Cancelled', { timeout: 60_000 });
});
