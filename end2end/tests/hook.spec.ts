// A hook that fails: what its Job was, how its pod ended, and what it wrote, although helm has removed all of it by then.
import { expect, test } from './fixture';
import { kubernetes } from './cluster';
import { expectAccessible, picture, unique, url } from './slipway';

const namespace = 'demo';

/** Whether the cluster has a node that runs containers for real; on the simulated one nothing writes a log. */
async function hasRealNode(): Promise<boolean> {
  const selector = encodeURIComponent('slipway.dev/node=real');
  return JSON.parse(await kubernetes('GET', `/api/v1/nodes?labelSelector=${selector}`)).items.length > 0;
}

test('a failing hook is told with its cause and the end of its log', async ({ page }) => {
  test.setTimeout(180_000);
  const isReal = await hasRealNode();
  if (!isReal) {
    const description = 'this machine has no real node, so hooks have no logs: all but the log is looked at';
    test.info().annotations.push({ type: 'without a real node', description });
    console.log(`hook.spec.ts: ${description}`);
  }
  const name = unique('hook');
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/hook-fails`);
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
  await page.getByRole('textbox', { name: 'Values' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  // helm removes the Job, and with it its pod, the moment that it has failed.
  const policy = 'deletePolicy: before-hook-creation,hook-failed\n';
  await page.keyboard.insertText(isReal ? `${policy}node: real\n` : policy);
  await page.getByRole('button', { name: 'Create' }).click();
  const phase = page.getByTestId('phase');
  await expect(phase).toHaveText('Failed', { timeout: 120_000 });
  await expect(page.getByText('Hook failed', { exact: true }).first()).toBeVisible();
  // What the hook itself said last is the headline.
  await expect(page.getByText(`Error: Job ${name}-migrate failed and said: migration 42 failed`)).toBeVisible();
  const job = page.getByRole('region', { name: `Job ${name}-migrate`, exact: true });
  await expect(job).toContainText(/exited with 1|exit code 1/);
  if (isReal) {
    const log = page.getByRole('region', { name: 'The end of the log of migrate' });
    await expect(log).toContainText('connecting to the database');
    await expect(log).toContainText('migration 42 failed: relation "orders" does not exist');
  } else {
    await expect(job).toContainText('migration 42 failed');
  }
  await page.getByText('What Helm said').click();
  await expect(page.getByText(/failed pre-install|pre-install hooks failed|BackoffLimitExceeded/).first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'failed hook');
  await test.step('it is there after a reload, and on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await expect(job).toContainText(/exited with 1|exit code 1/);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
  await test.step('there is a way out of it', async () => {
    for (const way of ['Edit the values', 'Choose another version', 'Try again', 'Uninstall']) {
      await expect(page.getByRole('link', { name: way, exact: true })).toBeVisible();
    }
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Uninstall' }).click();
    const dialog = page.getByRole('dialog', { name: 'Uninstall Helm release?' });
    await dialog.getByRole('textbox', { name: 'Release name' }).fill(name);
    await dialog.getByRole('button', { name: 'Uninstall' }).click();
    await expect(phase).toHaveText('Uninstalled', { timeout: 60_000 });
  });
});
