// The main flows on a phone, by touch: what is done on a desk elsewhere is done here in its essential steps.
import { expect, test, type Page } from './fixture';
import { archive, chartServer } from './charts';
import { killRunner } from './cluster';
import { chart, fits, release, submit, unique, url } from './slipway';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const phase = (page: Page) => page.getByTestId('phase');

/** Opens the menu of the release's page and chooses a verb. */
async function choose(page: Page, verb: string) {
  await page.getByRole('button', { name: 'Actions', exact: true }).tap();
  const item = page.getByRole('menuitem', { name: verb, exact: true });
  const box = (await item.boundingBox())!;
  expect(box.x, 'the menu is in sight').toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  await item.tap();
}

async function setValues(page: Page, values: string) {
  await page.getByRole('textbox', { name: 'Values' }).tap();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(values);
}

test('a release is made, watched, previewed, upgraded, looked into, rolled back, tested and uninstalled', async ({ page }) => {
  test.setTimeout(300_000);
  const namespace = 'team-a';
  const name = unique('pocket');
  await test.step('made from the catalogue', async () => {
    await page.goto(`${url()}/helm/ns/${namespace}/catalog?q=web`);
    await page.getByRole('link', { name: 'web', exact: true }).tap();
    await page.getByRole('dialog', { name: 'web' }).getByRole('link', { name: 'Create' }).tap();
    await page.getByRole('textbox', { name: 'Release name' }).fill(name);
    await setValues(page, 'replicas: 1\nstartup:\n  seconds: 5\n');
    await page.getByRole('button', { name: 'Create' }).tap();
  });
  await test.step('watched to its end', async () => {
    await expect(page.getByRole('progressbar', { name: 'Resources ready' })).toBeVisible({ timeout: 60_000 });
    await fits(page, 'installing');
    await expect(phase(page)).toHaveText('Deployed', { timeout: 90_000 });
  });
  await test.step('upgraded, after a look at what would change', async () => {
    await choose(page, 'Upgrade');
    await expect(page.getByRole('heading', { level: 1, name: 'Upgrade Helm release' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Values' })).toContainText('replicas: 1');
    await setValues(page, 'replicas: 2\n');
    await page.getByRole('button', { name: 'Preview' }).tap();
    const preview = page.getByRole('dialog', { name: 'Preview' });
    await expect(preview).toContainText('Nothing of it is stored', { timeout: 60_000 });
    await fits(page, 'preview');
    await preview.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: 'Upgrade' }).tap();
    await expect(phase(page)).toHaveText('Deployed', { timeout: 90_000 });
  });
  const tab = (words: string) => page.getByRole('navigation', { name: 'Release' }).getByRole('link', { name: words }).tap();
  await test.step('its log and its revisions', async () => {
    await tab('Logs');
    await expect(page.getByRole('log')).toContainText('$ helm upgrade');
    await tab('Revision history');
    await page.getByRole('checkbox', { name: 'Compare revision 1' }).check();
    await page.getByRole('checkbox', { name: 'Compare revision 2' }).check();
    await expect(page.getByRole('region', { name: 'Revision 1 compared with 2' })).toContainText('replicas: 2');
    await fits(page, 'revisions compared');
  });
  await test.step('rolled back from a row of them', async () => {
    await page.getByRole('link', { name: 'Rollback to revision 1' }).tap();
    await expect(page.getByRole('radio', { name: 'Revision 1' })).toBeChecked();
    await page.getByRole('button', { name: 'Rollback' }).tap();
    await expect(phase(page)).toHaveText(/Rolling back|Deployed/);
    await expect(page.getByText('Revision 3').first()).toBeVisible({ timeout: 60_000 });
    await expect(phase(page)).toHaveText('Deployed', { timeout: 60_000 });
  });
  await test.step('tested', async () => {
    await tab('Tests');
    await page.getByRole('button', { name: 'Run tests' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Run tests' }).tap();
    await expect(page.getByText('1 of 1 test passed')).toBeVisible({ timeout: 90_000 });
    await fits(page, 'tests');
  });
  await test.step('uninstalled', async () => {
    await choose(page, 'Uninstall');
    const dialog = page.getByRole('dialog', { name: 'Uninstall Helm release?' });
    await dialog.getByRole('textbox', { name: 'Release name' }).fill(name);
    await dialog.getByRole('button', { name: 'Uninstall' }).tap();
    await expect(phase(page)).toHaveText('Uninstalled', { timeout: 60_000 });
    await fits(page, 'uninstalled');
  });
});

test('an install is cancelled', async ({ page, request }) => {
  test.setTimeout(150_000);
  const namespace = 'team-b';
  const name = unique('pocket-cancel');
  await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'startup:\n  seconds: 40\n' });
  await page.goto(release(namespace, name));
  await expect(phase(page)).toHaveText('Installing');
  await page.getByRole('button', { name: 'Cancel', exact: true }).tap();
  const dialog = page.getByRole('dialog', { name: 'Cancel the operation?' });
  await fits(page, 'cancel dialog');
  await dialog.getByRole('button', { name: 'Cancel operation' }).tap();
  await expect(phase(page)).toHaveText('Cancelled', { timeout: 60_000 });
  await fits(page, 'cancelled');
});

test('what was interrupted has its ways out', async ({ page, request }) => {
  test.setTimeout(240_000);
  const namespace = 'demo';
  const name = unique('pocket-killed');
  const values = 'startup:\n  seconds: 60\n';
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values });
  await page.goto(release(namespace, name));
  await expect(page.getByText('Waiting for resources to become ready', { exact: true })).toBeVisible({ timeout: 60_000 });
  expect(killRunner(id), 'a runner, a watchdog and a helm').toBeGreaterThan(2);
  await expect(phase(page)).toHaveText('Interrupted', { timeout: 120_000 });
  await fits(page, 'interrupted');
  await page.getByRole('button', { name: 'Mark as failed' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Mark as failed?' });
  await fits(page, 'mark as failed dialog');
  await dialog.getByRole('button', { name: 'Mark as failed' }).tap();
  await expect(phase(page)).toHaveText('Failed', { timeout: 60_000 });
});

test('a private repository is added, found in the catalogue, and removed', async ({ page }) => {
  test.setTimeout(120_000);
  const server = await chartServer();
  const name = unique('pocket');
  try {
    await page.goto(`${url()}/helm/ns/demo/repositories`);
    await page.getByRole('button', { name: 'Create' }).tap();
    await page.getByRole('menuitem', { name: 'Repository' }).tap();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('textbox', { name: 'URL' }).fill(server.url);
    await page.getByRole('button', { name: 'Test connection' }).tap();
    await expect(page.getByRole('alert').filter({ hasText: /It lists \d+ charts/ })).toBeVisible();
    await fits(page, 'repository form');
    await page.getByRole('button', { name: 'Create' }).tap();
    const row = page.getByRole('row', { name: new RegExp(name) });
    await expect(row).toContainText('Ready');
    await fits(page, 'repositories');
    await page.getByRole('button', { name: `Actions for ${name}` }).tap();
    await page.getByRole('menuitem', { name: 'Remove' }).tap();
    await page.getByRole('dialog', { name: 'Remove repository?' }).getByRole('button', { name: 'Remove' }).tap();
    await expect(row).toBeHidden();
  } finally {
    server.end();
  }
});

test('a chart from elsewhere is found by its address, and as a file', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/demo/elsewhere`);
  await page.getByRole('textbox', { name: 'Chart URL' }).fill(`${process.env.SLIPWAY_SAMPLES}/web-1.0.0.tgz`);
  await page.getByRole('button', { name: 'Next' }).tap();
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await fits(page, 'found by its address');
  await page.goto(`${url()}/helm/ns/demo/elsewhere?from=file`);
  const buffer = await archive('web-1.0.0.tgz');
  await page.locator('input[type=file]').setInputFiles({ name: 'web-1.0.0.tgz', mimeType: 'application/gzip', buffer });
  await expect(page.getByRole('heading', { level: 2, name: 'web 1.0.0' })).toBeVisible();
  await fits(page, 'found in a file');
  await page.getByRole('button', { name: 'Continue' }).tap();
  await expect(page.getByRole('textbox', { name: 'Release name' })).toBeVisible();
  await expect(page.getByText('From the chart web 1.0.0')).toBeVisible();
});
