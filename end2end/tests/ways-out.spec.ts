// A release that was left half way, by us or by others, says what is known of it and offers the ways out.
import { expect, test, type Page } from './fixture';
import { killRunner, kubernetes, laterCluster, leavePending } from './cluster';
import { Server, shared } from './server';
import { chart, ended, expectAccessible, picture, release, submit, unique } from './slipway';

const namespace = 'demo';

/** Kills the runner of the operation as soon as its release's page shows that helm waits for what it has made. */
async function interrupted(page: Page, id: string, name: string) {
  await page.goto(release(namespace, name));
  await expect(page.getByText('Waiting for resources to become ready', { exact: true })).toBeVisible({ timeout: 60_000 });
  expect(killRunner(id), 'a runner, a watchdog and a helm').toBeGreaterThan(2);
  await expect(page.getByTestId('phase')).toHaveText('Interrupted', { timeout: 120_000 });
}

test('an install whose runner was killed is interrupted, says the proof, and is run again to its end', async ({ page, request }) => {
  test.setTimeout(300_000);
  const name = unique('killed');
  const values = 'startup:\n  seconds: 25\n';
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values });
  await interrupted(page, id, name);
  const phase = page.getByTestId('phase');
  await expect(page.getByText('The install was interrupted')).toBeVisible();
  await expect(page.getByText(/Lease of demo\/killed-\w+/)).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'interrupted');

  await test.step('each way says what it does before it is done', async () => {
    await page.getByRole('button', { name: 'Mark as failed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mark as failed?' });
    await expect(dialog).toContainText('from pending-install to failed, and nothing else');
    await expectAccessible(page);
    await picture(page, 'mark as failed dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Mark as failed' })).toBeFocused();
  });

  await page.getByRole('button', { name: 'Run again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run it again?' });
  await expect(dialog).toContainText('marks the pending-install record as failed first');
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await expect(phase).toHaveText('Installing');
  await expect(phase).toHaveText('Deployed', { timeout: 120_000 });
});

test('an upgrade whose runner was killed is rolled back by the button that says what it does', async ({ page, request }) => {
  test.setTimeout(300_000);
  const name = unique('back-out');
  const web = await chart(request, 'web');
  const body = { kind: 'install', namespace, name, chart: web, values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  const values = 'replicas: 1\nstartup:\n  seconds: 60\n';
  await interrupted(page, await submit(request, { ...body, kind: 'upgrade', values }), name);
  await page.getByRole('button', { name: 'Roll back to revision 1', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back to revision 1?' });
  await expect(dialog).toContainText('Helm makes the cluster what revision 1 says, and records that as revision 3.');
  await expect(dialog).toContainText('Revision 2 stays pending-upgrade in the history.');
  await expectAccessible(page);
  await picture(page, 'roll back dialog');
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 120_000 });
  await page.getByRole('link', { name: 'Revision history' }).click();
  await expect(page.getByRole('row', { name: /Rollback to 1/ })).toBeVisible();
});

test('an install whose runner was killed is uninstalled by the button that says what it does', async ({ page, request }) => {
  test.setTimeout(300_000);
  const name = unique('given-up');
  const values = 'startup:\n  seconds: 60\n';
  await interrupted(page, await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values }), name);
  await page.getByRole('button', { name: 'Uninstall', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Uninstall Helm release?' });
  await expect(dialog).toContainText('Helm deletes the resources of the release, and its history.');
  await dialog.getByRole('textbox', { name: 'Release name' }).fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('phase')).toHaveText('Uninstalled', { timeout: 120_000 });
  await expect(page.getByText('Its resources and its history are gone.')).toBeVisible();
});

/** A release that Slipway made, and that another helm has begun to upgrade since. */
async function begunElsewhere(request: import('@playwright/test').APIRequestContext, name: string) {
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await leavePending(namespace, name);
}

test('a record that another helm has pending is told as what it is, and takes nothing else', async ({ page, request }) => {
  const name = unique('foreign');
  await begunElsewhere(request, name);
  await page.goto(release(namespace, name));
  await expect(page.getByTestId('phase')).toHaveText('Pending upgrade');
  await expect(page.getByText('Begun outside of Slipway, and not finished')).toBeVisible();
  await expect(page.getByText(/Whether a Helm is still at work on it cannot be known from here\./)).toBeVisible();
  await expect(page.getByText('Pending for')).toBeVisible();
  const state = page.getByRole('region', { name: 'State' });
  await expect(state.getByText('Requested by'), 'of an operation that is over').toBeHidden();
  await expect(state.getByText('1 attempt'), 'of that operation').toBeHidden();
  await expectAccessible(page);
  await picture(page, 'begun elsewhere');
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(4);
  for (const item of await page.getByRole('menuitem').all()) {
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expect(item).toContainText('A Helm outside of Slipway may be at work on it.');
  }
});

test('a record that nobody of ours left pending 20 minutes ago is told without a claim, and is marked as failed', async ({ page, request }) => {
  test.setTimeout(150_000);
  const name = unique('left');
  await begunElsewhere(request, name);
  // Nobody can make a record that is old; so it is looked at later, by a server that knows nothing of who made the release.
  const place = shared();
  const later = new Server(place, ['--operations-namespace', 'later']);
  const cluster = await laterCluster(later.folder, 20 * 60_000);
  place.kubeconfig = cluster.kubeconfig;
  try {
    await page.goto(`${await later.start()}/helm/ns/${namespace}/release/${name}`);
    const phase = page.getByTestId('phase');
    await expect(phase).toHaveText('Stuck', { timeout: 30_000 });
    await expect(page.getByText('The record has said “pending-upgrade” for longer than a Helm takes')).toBeVisible();
    await expect(page.getByText(/Whether a Helm is still at work somewhere cannot be known from here\./)).toBeVisible();
    await expect(page.locator('.elapsed')).toHaveText(/^2\dm \d+s$/);
    await expectAccessible(page);
    await picture(page, 'stuck, and not ours');
    for (const way of ['Roll back to revision 1', 'Uninstall', 'Mark as failed']) {
      await page.getByRole('button', { name: way, exact: true }).click();
      await expect(page.getByRole('dialog')).toContainText('Nobody can know whether a Helm elsewhere is still at work on it');
      if (way !== 'Mark as failed') await page.keyboard.press('Escape');
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as failed' }).click();
    await expect(phase).toHaveText('Failed', { timeout: 60_000 });
    await page.getByRole('button', { name: 'Actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Upgrade' })).not.toHaveAttribute('aria-disabled');
  } finally {
    // It asks on, and would find nobody.
    await page.close();
    await later.end();
    cluster.end();
  }
});

test('a record that was left pending is stuck, and is marked as failed', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('stuck');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  // As when helm ends well and its last write is lost.
  const secret = `/api/v1/namespaces/${namespace}/secrets/sh.helm.release.v1.${name}.v1`;
  await kubernetes('PATCH', secret, { metadata: { labels: { status: 'pending-install' } } });
  await page.goto(release(namespace, name));
  const phase = page.getByTestId('phase');
  await expect(phase).toHaveText('Stuck', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: /^Upgrade/ })).toContainText('Helm refuses while the record is pending');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Mark as failed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as failed?' });
  await expect(dialog).toContainText('Nobody can know whether a Helm elsewhere is still at work on it');
  await dialog.getByRole('button', { name: 'Mark as failed' }).click();
  await expect(phase).toHaveText('Failed', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Upgrade' })).not.toHaveAttribute('aria-disabled');
});
