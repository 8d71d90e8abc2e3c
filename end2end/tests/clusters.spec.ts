// Several clusters behind one Slipway: a menu leads from one to another, and what is of one is never seen in another.
import { expect, test, type APIRequestContext, type Page } from './fixture';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answers, slipway } from '../demo';
import { Server, shared } from './server';
import { expectAccessible, looksWell, picture, unique } from './slipway';

const namespace = 'two-clusters';
const west = 'c/west%2Fapi%3A6443';
const server = new Server({ ...shared(), kubeconfig: '' }, ['--operations-namespace', 'several']);
const release = unique('twin');
let second: ChildProcess;
let url: string;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ request }) => {
  test.setTimeout(240_000);
  second = spawn(path.join(path.dirname(slipway), 'examples/cluster'), { stdio: ['pipe', 'pipe', 'ignore'] });
  const [other] = await answers(second, [/^(\/.+)/]);
  const kubeconfig = path.join(server.folder, 'several.kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(contexts(shared().kubeconfig, other)), { mode: 0o600 });
  server.place.kubeconfig = kubeconfig;
  url = await server.start();
  await Promise.all([installed(request, 'c/east', 1), installed(request, west, 2)]);
});

test.afterAll(async () => {
  await server.end();
  if (!second) return;
  const gone = once(second, 'exit');
  second.kill('SIGTERM');
  await gone;
});

/** The shared cluster, another one whose name is as OpenShift makes them, and one that is away. */
function contexts(one: string, other: string) {
  const [east, west] = [one, other].map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const of = (name: string, { clusters, users }: typeof east) => ({
    cluster: { name, cluster: clusters[0].cluster },
    user: { name, user: users[0].user },
    context: { name, context: { cluster: name, user: name } },
  });
  const away = { clusters: [{ cluster: { server: 'https://127.0.0.1:1' } }], users: east.users };
  const all = [of('east', east), of('west/api:6443', west), of('gone', away)];
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'east',
    clusters: all.map((it) => it.cluster),
    users: all.map((it) => it.user),
    contexts: all.map((it) => it.context),
  };
}

/** Installs the release into a cluster, with so many replicas, and waits until it is listed there. */
async function installed(request: APIRequestContext, cluster: string, replicas: number) {
  const chart = { repository: 'samples', name: 'web', version: '1.0.0' };
  const options = { createNamespace: true };
  const data = { kind: 'install', namespace, name: release, chart, options, values: `replicas: ${replicas}\n` };
  const answer = await request.post(`${url}/${cluster}/api/v1/operations`, { data });
  expect(answer.status(), await answer.text()).toBe(202);
  const at = answer.headers()['location'];
  expect(at).toContain(`/${cluster}/api/v1/operations/`);
  await expect
    .poll(async () => (await (await request.get(url + at)).json()).state, { timeout: 120_000 })
    .toBe('succeeded');
}

const menu = (page: Page) => page.getByRole('button', { name: /^Cluster: / });

/** Goes to another cluster by the menu. */
async function choose(page: Page, name: string) {
  await menu(page).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await expect(menu(page)).toHaveAccessibleName(`Cluster: ${name}`);
}

test('the menu leads to the same kind of page of another cluster, and the browser leads back', async ({ page }) => {
  await page.goto(`${url}/helm/ns/${namespace}/releases`);
  await expect(page).toHaveURL(`${url}/c/east/helm/ns/${namespace}/releases`);
  await expect(page, 'windows of two clusters are told apart').toHaveTitle('Helm releases · east · Slipway');
  const row = page.getByRole('link', { name: release });
  await expect(row).toHaveAttribute('href', `/c/east/helm/ns/${namespace}/release/${release}`);
  await menu(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['east', 'gone', 'west/api:6443']);
  await expect(page.getByRole('menuitem', { name: 'east' })).toHaveAttribute('aria-current', 'true');
  await looksWell(page, 'menu of clusters');
  await page.keyboard.press('Escape');
  await choose(page, 'west/api:6443');
  await expect(page).toHaveURL(`${url}/${west}/helm/ns/${namespace}/releases`);
  await expect(row).toHaveAttribute('href', `/${west}/helm/ns/${namespace}/release/${release}`);
  await row.click();
  await expect(page).toHaveURL(`${url}/${west}/helm/ns/${namespace}/release/${release}`);
  await expect(page).toHaveTitle(`${release} · west/api:6443 · Slipway`);
  await page.getByRole('link', { name: 'Software Catalog' }).first().click();
  await expect(page).toHaveURL(`${url}/${west}/helm/ns/${namespace}/catalog`);
  await choose(page, 'east');
  await expect(page).toHaveURL(`${url}/c/east/helm/ns/${namespace}/catalog`);
  await page.goBack();
  await expect(page).toHaveURL(`${url}/${west}/helm/ns/${namespace}/catalog`);
  await expect(menu(page)).toHaveAccessibleName('Cluster: west/api:6443');
  await page.goBack();
  await expect(page.getByTestId('phase')).toHaveText('Deployed');
  await expect(page).toHaveURL(`${url}/${west}/helm/ns/${namespace}/release/${release}`);
  await page.goForward();
  await page.goForward();
  await expect(page).toHaveURL(`${url}/c/east/helm/ns/${namespace}/catalog`);
  await expect(menu(page)).toHaveAccessibleName('Cluster: east');
});

test('a link into a cluster opens there, and shows what is there', async ({ page }) => {
  for (const [cluster, replicas] of [['c/east', '1'], [west, '2']]) {
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).pathname.split('/api/')[0]));
    await page.goto(`${url}/${cluster}/helm/ns/${namespace}/release/${release}/values`);
    await expect(page.getByText(`replicas: ${replicas}`).first()).toBeVisible();
    expect([...asked].filter((from) => from.startsWith('/c/') && !from.includes('/helm')), 'asked of it alone').toEqual([`/${cluster}`]);
    page.removeAllListeners('request');
  }
});

test('what was typed for one cluster is not offered in another', async ({ page }) => {
  const form = `helm/ns/${namespace}/install/samples/web`;
  const name = page.getByRole('textbox', { name: 'Release name' });
  await page.goto(`${url}/c/east/${form}`);
  await name.fill('only-in-the-east');
  await choose(page, 'west/api:6443');
  await expect(page).toHaveURL(`${url}/${west}/helm/ns/${namespace}/catalog`);
  await page.goto(`${url}/${west}/${form}`);
  await expect(name).not.toHaveValue('only-in-the-east');
  await expect(name).not.toHaveValue('');
  await page.goto(`${url}/c/east/${form}`);
  await expect(name).toHaveValue('only-in-the-east');
});

test('a cluster that is away, and one that is not there, say so and leave the way to the others', async ({ page }) => {
  await page.goto(`${url}/c/gone/helm/ns/${namespace}/releases`);
  await expect(page.getByText(/cannot be reached/).first()).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await picture(page, 'cluster that is away');
  await choose(page, 'east');
  await expect(page.getByRole('link', { name: release })).toBeVisible();

  await page.goto(`${url}/c/nowhere/helm/ns/${namespace}/releases`);
  await expect(page.getByText(/The cluster nowhere/).first()).toBeVisible();
  await picture(page, 'cluster that is not there');
  await choose(page, 'east');
  await expect(page.getByRole('link', { name: release })).toBeVisible();
});
