// A release that was left half way, by us or by others, says what is known of it and offers the ways out.
import { expect, test } from '@playwright/test';
import { readFileSync, readdirSync } from 'node:fs';
import { request as https } from 'node:https';
import { chart, ended, expectAccessible, picture, release, submit, unique } from './slipway';

const namespace = 'demo';

/** The processes whose command line has `word` in it, and their children. */
function processes(word: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // It has ended since.
    }
  };
  const parents = new Map(all.map((pid) => [pid, read(pid, 'stat').replace(/^.*\) \S /s, '').split(' ')[0]]));
  const found = all.filter((pid) => read(pid, 'cmdline').split('\0').includes(word));
  const children = all.filter((pid) => found.includes(parents.get(pid) ?? ''));
  return [...new Set([...found, ...children])].map(Number);
}

/** Asks the cluster itself, as its administrator. */
function kubernetes(method: string, path: string, body?: object): Promise<string> {
  const { clusters, users } = JSON.parse(readFileSync(process.env.SLIPWAY_KUBECONFIG!, 'utf8'));
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${users[0].user.token}`, 'content-type': type };
  const options = { method, ca: Buffer.from(ca, 'base64'), headers };
  return new Promise((resolve, reject) => {
    const sent = https(server + path, options, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part));
      answer.on('end', () => (answer.statusCode! < 300 ? resolve(text) : reject(new Error(text))));
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

test('an install whose runner was killed is interrupted, says the proof, and is run again to its end', async ({ page, request }) => {
  test.setTimeout(300_000);
  const name = unique('killed');
  const values = 'startup:\n  seconds: 25\n';
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values });
  await page.goto(release(namespace, name));
  const phase = page.getByTestId('phase');
  await expect(page.getByRole('progressbar', { name: 'Resources ready' })).toBeVisible({ timeout: 60_000 });
  const victims = processes(id);
  expect(victims.length, 'a runner and its helm').toBeGreaterThan(1);
  for (const pid of victims) process.kill(pid, 'SIGKILL');

  await expect(phase).toHaveText('Interrupted', { timeout: 120_000 });
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

test('a record that another helm has pending is told as what it is, and takes nothing else', async ({ page, request }) => {
  const name = unique('foreign');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const { type, data } = JSON.parse(await kubernetes('GET', `${secrets}/sh.helm.release.v1.${name}.v1`));
  const labels = { owner: 'helm', name, version: '2', status: 'pending-upgrade' };
  await kubernetes('POST', secrets, { metadata: { name: `sh.helm.release.v1.${name}.v2`, labels }, type, data });
  await page.goto(release(namespace, name));
  await expect(page.getByTestId('phase')).toHaveText('Pending upgrade');
  await expect(page.getByText(/A Helm outside of Slipway is at work$/)).toBeVisible();
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(4);
  for (const item of await page.getByRole('menuitem').all()) {
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expect(item).toContainText('A Helm outside of Slipway is at work on this release.');
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
