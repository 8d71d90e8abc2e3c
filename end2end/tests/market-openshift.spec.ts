// OpenShift's own kinds of repositories, of the cluster and of a namespace. They are in a cluster of their own: where a
// cluster has them, the form of a new repository begins with them.
import { expect, test } from './fixture';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { answers, slipway } from '../demo';
import { BASIC, chartServer } from './charts';
import { kubernetes } from './cluster';
import { Server, shared } from './server';
import { expectAccessible, looksWell } from './slipway';

const namespace = 'default';
const server = new Server({ ...shared(), kubeconfig: '' }, []);
let cluster: ChildProcess;
let url: string;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  cluster = spawn(path.join(path.dirname(slipway), 'examples/cluster'), ['--openshift'], { stdio: ['pipe', 'pipe', 'ignore'] });
  [server.place.kubeconfig] = await answers(cluster, [/^(\/.+)/]);
  const at = await server.start();
  const { default: name } = await (await fetch(`${at}/api/v1/clusters`)).json();
  url = `${at}/c/${encodeURIComponent(name)}`;
});

test.afterAll(async () => {
  await server.end();
  if (!cluster) return;
  const gone = once(cluster, 'exit');
  cluster.kill('SIGTERM');
  await gone;
});

test('a repository of a namespace and one of the cluster are added, changed, disabled and removed', async ({ page }) => {
  test.setTimeout(120_000);
  const charts = await chartServer(BASIC);
  const open = await chartServer();
  const ask = (method: string, path: string, body?: object) => kubernetes(method, path, body, server.place.kubeconfig);
  const secret = { metadata: { name: 'charts' }, stringData: { username: 'me', password: 'correct horse' } };
  await ask('POST', `/api/v1/namespaces/${namespace}/secrets`, secret);
  const kinds = '/apis/helm.openshift.io/v1beta1';
  const ours = `${kinds}/namespaces/${namespace}/projecthelmchartrepositories/team`;
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  try {
    await test.step('one of the namespace, with the credentials that a Secret there has', async () => {
      await page.goto(`${url}/helm/ns/${namespace}/repositories/add`);
      const scopes = page.getByRole('group', { name: 'Scope type' });
      await expect(scopes.getByRole('radio', { name: 'Namespaced scoped (ProjectHelmChartRepository)' })).toBeChecked();
      await expect(scopes.getByRole('radio')).toHaveCount(3);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('team');
      await page.getByRole('textbox', { name: 'Display name' }).fill('Team charts');
      await page.getByRole('textbox', { name: 'URL' }).fill(charts.url);
      await expect(page.getByText(`The objects are in the namespace ${namespace}.`)).toBeVisible();
      await page.getByRole('textbox', { name: 'Basic authentication' }).fill('missing');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await expect(page.getByText(/Not there: .*missing/)).toBeVisible();
      await looksWell(page, 'repository form of OpenShift');
      await page.getByRole('textbox', { name: 'Basic authentication' }).fill('charts');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await expect(page.getByRole('alert').filter({ hasText: /It lists \d+ charts/ })).toBeVisible();
      await page.getByRole('button', { name: 'Create' }).click();
      await expect(row('Team charts')).toContainText('Ready');
      const { spec } = JSON.parse(await ask('GET', ours));
      const connectionConfig = { url: charts.url, basicAuthConfig: { name: 'charts' } };
      expect(spec).toEqual({ name: 'Team charts', connectionConfig });
    });

    await test.step('one of the cluster', async () => {
      await page.goto(`${url}/helm/ns/${namespace}/repositories/add`);
      await page.getByRole('radio', { name: 'Cluster scoped (HelmChartRepository)' }).check();
      await expect(page.getByText('The objects are in the namespace openshift-config.')).toBeVisible();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('everybodys');
      await page.getByRole('textbox', { name: 'URL' }).fill(open.url);
      await page.getByRole('button', { name: 'Create' }).click();
      await expect(row('everybodys')).toContainText('Ready');
      await expect(row('everybodys')).toContainText('Cluster');
      await expect(row('Team charts')).toContainText(`Namespace ${namespace}`);
      await looksWell(page, 'repositories of OpenShift');
      // Those of a namespace are of no other one.
      await page.goto(`${url}/helm/ns/kube-public/repositories`);
      await expect(row('everybodys')).toBeVisible();
      await expect(row('Team charts')).toHaveCount(0);
    });

    await test.step('what is changed is changed in the object, and nothing else is', async () => {
      await ask('PATCH', ours, { metadata: { labels: { kept: 'yes' } } });
      await page.goto(`${url}/helm/ns/${namespace}/repositories`);
      await page.getByRole('link', { name: 'Team charts' }).click();
      await expect(page.getByRole('textbox', { name: 'Basic authentication' })).toHaveValue('charts');
      await page.getByRole('textbox', { name: 'Description' }).fill('For our team');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(row('Team charts')).toContainText('For our team');
      const { metadata, spec } = JSON.parse(await ask('GET', ours));
      expect([metadata.labels.kept, spec.description, spec.connectionConfig.basicAuthConfig.name]).toEqual(['yes', 'For our team', 'charts']);
    });

    await test.step('it is disabled and removed', async () => {
      const menu = page.getByRole('button', { name: `Actions for ${namespace}:team` });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await expect(row('Team charts')).toContainText('Disabled');
      expect(JSON.parse(await ask('GET', ours)).spec.disabled).toBe(true);
      await menu.click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await expect(row('Team charts')).toHaveCount(0);
      await expect(ask('GET', ours)).rejects.toThrow(/NotFound/);
      await expect(row('everybodys')).toBeVisible();
    });
  } finally {
    charts.end();
    open.end();
  }
});
