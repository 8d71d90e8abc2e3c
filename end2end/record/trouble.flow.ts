// What goes wrong: a race that passes by itself, a server that goes away, a hook that fails, a cancel, a dead runner, a record
// that nobody works on.
import { expect, test } from '@playwright/test';
import { killRunner, laterCluster, leavePending } from '../tests/cluster';
import { Server, shared } from '../tests/server';
import { url } from '../tests/slipway';
import { Storm } from '../tests/storm';
import { Stage } from './stage';

test('a race on a quota, tried again', async ({ browser }) => {
  const storm = new Storm();
  try {
    const site = await storm.start();
    const stage = await Stage.begin(browser, site, storm.kubeconfig);
    const name = 'race';
    const page = `/helm/ns/storm/release/${name}`;
    stage.follow('storm', name);
    storm.becomes('quota');
    stage.note('An install begins. Two more wait in the queue.');
    await stage.submit({ kind: 'install', namespace: 'storm', name, chart: 'web', values: 'startup:\n  seconds: 15\n' });
    for (const waiting of ['second', 'third']) await stage.submit({ kind: 'install', namespace: 'storm', name: waiting, chart: 'web', values: '' });
    await stage.visit(page);
    const beside = stage.beside('/helm/ns/storm/releases', `${page}/timeline`, `${page}/history`, '/helm/ns/storm/release/second', '/helm/ns/storm/release/third');
    await stage.until('now', /attempt 2 of 3/);
    stage.note('Helm failed on a race with the quota’s controller. The record says failed; the page says that it is tried again, and when.');
    await stage.until('now', /attempt 3 of 3/);
    stage.note('Once more. The status on the page was never Failed.');
    storm.becomes('clear');
    await beside;
    await stage.until('phase', /^Deployed$/);
    stage.note('Deployed at the third attempt. The attempts can be read.');
    await stage.lead.waitForTimeout(3000);
    await stage.end('quota-race');
  } finally {
    await storm.end();
  }
});

test('the server is restarted in mid-install', async ({ browser }) => {
  const server = new Server(shared(), ['--operations-namespace', 'recorded']);
  try {
    const site = await server.start();
    const stage = await Stage.begin(browser, site);
    const name = 'survivor';
    stage.follow('team-b', name);
    stage.note('An install is under way.');
    await stage.submit({ kind: 'install', namespace: 'team-b', name, chart: 'web', values: 'startup:\n  seconds: 35\n' });
    await stage.visit(`/helm/ns/team-b/release/${name}`);
    await stage.lead.getByRole('progressbar', { name: 'Resources ready' }).waitFor({ timeout: 60_000 });
    await stage.lead.waitForTimeout(3000);
    stage.note('The server is killed. The page keeps what it has, and says how old that is. The runner goes on.');
    stage.away(true);
    await server.kill();
    await stage.lead.getByText(/Connection to Slipway lost/).waitFor({ timeout: 60_000 });
    await stage.lead.waitForTimeout(6000);
    await server.start(new URL(site).port);
    stage.note('Another server is there: it finds the operation in the cluster, and the page goes on by itself.');
    stage.away(false);
    await stage.until('phase', /^Deployed$/);
    stage.note('Deployed, in one attempt.');
    await stage.lead.waitForTimeout(3000);
    await stage.end('server-restart');
  } finally {
    await server.end();
  }
});

test('a hook that fails', async ({ browser }) => {
  const stage = await Stage.begin(browser, url());
  const name = 'ledger';
  const page = `/helm/ns/demo/release/${name}`;
  stage.follow('demo', name);
  stage.note('The chart has a hook that migrates a database before the install.');
  const values = 'deletePolicy: before-hook-creation,hook-failed\nnode: real\n';
  await stage.submit({ kind: 'install', namespace: 'demo', name, chart: 'hook-fails', values });
  await stage.visit(page);
  await stage.beside(`${page}/resources`, `${page}/timeline`, `${page}/logs`, `${page}/history`, '/helm/ns/demo/releases');
  await stage.until('phase', /^Failed$/);
  stage.note('It fails, and Helm removes the Job at once. What it wrote, and how it ended, was kept before that.');
  await stage.lead.waitForTimeout(5000);
  await stage.end('failing-hook');
});

test('an install that is cancelled', async ({ browser }) => {
  const stage = await Stage.begin(browser, url());
  const name = 'wrong-size';
  stage.follow('team-b', name);
  stage.note('A large install with the wrong values is under way.');
  await stage.submit({ kind: 'install', namespace: 'team-b', name, chart: 'platform' });
  await stage.visit(`/helm/ns/team-b/release/${name}`);
  await stage.beside('/helm/ns/team-b/releases', `/helm/ns/team-b/release/${name}/resources`);
  await stage.lead.getByRole('progressbar', { name: 'Resources ready' }).waitFor({ timeout: 60_000 });
  await stage.lead.waitForTimeout(4000);
  stage.note('Cancel says what will be left before it does anything.');
  await stage.press(stage.lead.getByRole('button', { name: 'Cancel', exact: true }));
  await stage.lead.getByRole('dialog').waitFor();
  await stage.lead.waitForTimeout(4000);
  await stage.press(stage.lead.getByRole('dialog').getByRole('button', { name: 'Cancel operation' }));
  await stage.until('phase', /^Cancelled$/);
  stage.note('Helm has ended cleanly. The page says what is there, and offers to run it again or to remove it.');
  await stage.lead.waitForTimeout(4000);
  await stage.end('cancel');
});

test('a runner that dies', async ({ browser }) => {
  const stage = await Stage.begin(browser, url());
  const name = 'abandoned';
  stage.follow('team-b', name);
  stage.note('An install is under way.');
  const id = await stage.submit({ kind: 'install', namespace: 'team-b', name, chart: 'web', values: 'startup:\n  seconds: 25\n' });
  await stage.visit(`/helm/ns/team-b/release/${name}`);
  await stage.beside('/helm/ns/team-b/releases');
  await stage.lead.getByText('Waiting for resources to become ready', { exact: true }).waitFor({ timeout: 60_000 });
  stage.note('Its runner is killed, and Helm with it. The record stays pending-install, for ever.');
  killRunner(id);
  await stage.until('phase', /^Interrupted$/);
  stage.note('Its Lease has run out: that nobody works on it is proven. The ways out are offered.');
  await stage.lead.waitForTimeout(5000);
  await stage.press(stage.lead.getByRole('button', { name: 'Run again' }));
  await stage.lead.getByRole('dialog').waitFor();
  stage.note('Each says what it does before it is done.');
  await stage.lead.waitForTimeout(4000);
  await stage.press(stage.lead.getByRole('dialog').getByRole('button', { name: 'Run again' }));
  await stage.until('phase', /^Deployed$/);
  stage.note('Deployed.');
  await stage.lead.waitForTimeout(3000);
  await stage.end('dead-runner');
});

test('a record that somebody else left pending', async ({ browser }) => {
  const name = 'orphan';
  const place = shared();
  const later = new Server(place, ['--operations-namespace', 'later-recorded']);
  const cluster = await laterCluster(later.folder, 20 * 60_000);
  place.kubeconfig = cluster.kubeconfig;
  try {
    const before = await Stage.begin(browser, url());
    await before.submit({ kind: 'install', namespace: 'team-b', name, chart: 'web', values: '' });
    await before.visit(`/helm/ns/team-b/release/${name}`);
    await expect(before.lead.getByTestId('phase')).toHaveText('Deployed', { timeout: 120_000 });
    await leavePending('team-b', name);
    await expect(before.lead.getByTestId('phase')).toHaveText('Pending upgrade', { timeout: 60_000 });
    await before.lead.waitForTimeout(2000);
    await before.end('pending-elsewhere');
    const stage = await Stage.begin(browser, await later.start());
    stage.follow('team-b', name);
    stage.note('A Helm in a terminal began an upgrade 20 minutes ago and was never heard of again. Today this release is blocked.');
    await stage.visit(`/helm/ns/team-b/release/${name}`);
    await stage.until('phase', /^Stuck$/);
    await stage.lead.waitForTimeout(5000);
    stage.note('Whether that Helm lives cannot be known, and is not claimed. Three ways out, each with what it does.');
    await stage.press(stage.lead.getByRole('button', { name: 'Mark as failed' }));
    await stage.lead.getByRole('dialog').waitFor();
    await stage.lead.waitForTimeout(4000);
    await stage.press(stage.lead.getByRole('dialog').getByRole('button', { name: 'Mark as failed' }));
    await stage.until('phase', /^Failed$/);
    stage.note('The release can be upgraded again.');
    await stage.lead.waitForTimeout(4000);
    await stage.end('stuck');
  } finally {
    await later.end();
    cluster.end();
  }
});
