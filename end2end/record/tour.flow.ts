// What there is to see when nothing special happens: each page of the console once, on a namespace with releases of all kinds.
import { expect, test } from '@playwright/test';
import { kubernetes, leavePending } from '../tests/cluster';
import { url } from '../tests/slipway';
import { Storm } from '../tests/storm';
import { Stage } from './stage';

const namespace = 'team-a';

/** A record that cannot be read, as a half-restored backup leaves it. */
async function leaveUnreadable(name: string) {
  const labels = { owner: 'helm', name, version: '1', status: 'deployed' };
  const data = { release: Buffer.from('not a release').toString('base64') };
  await kubernetes('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    metadata: { name: `sh.helm.release.v1.${name}.v1`, labels },
    type: 'helm.sh/release.v1',
    data,
  });
}

test('a tour of the console', async ({ browser }) => {
  test.setTimeout(900_000);
  const stage = await Stage.begin(browser, url());
  const web = { namespace, chart: 'web', values: 'replicas: 1\n' };
  const state = async (id: string) => (await (await fetch(`${url()}/api/v1/operations/${id}`)).json()).state;
  const carriedOut = async (body: Parameters<Stage['submit']>[0]) => {
    const id = await stage.submit(body);
    await expect.poll(() => state(id), { timeout: 120_000 }).toMatch(/succeeded|failed|cancelled|interrupted/);
  };
  await Promise.all([
    carriedOut({ kind: 'install', ...web, name: 'store', version: '1.1.0', values: 'replicas: 2\n' }),
    carriedOut({ kind: 'install', ...web, name: 'old' }),
    carriedOut({ kind: 'install', ...web, name: 'elsewhere' }),
    carriedOut({ kind: 'install', namespace, name: 'queue', chart: 'schema', values: '' }),
    carriedOut({ kind: 'install', namespace, name: 'ledger', chart: 'hook-fails', values: '' }),
    carriedOut({ kind: 'install', namespace, name: 'crash', chart: 'crash-loop', values: '', options: { wait: false } }),
    carriedOut({ kind: 'install', namespace, name: 'limits', chart: 'over-quota', values: '', options: { timeout: 40 } }),
    carriedOut({ kind: 'install', ...web, name: 'slow', values: 'startup:\n  seconds: 300\n', options: { timeout: 20 } }),
  ]);
  await carriedOut({ kind: 'upgrade', ...web, name: 'store' });
  await carriedOut({ kind: 'test', namespace, name: 'store' });
  await carriedOut({ kind: 'uninstall', namespace, name: 'old', options: { keepHistory: true } });
  await leavePending(namespace, 'elsewhere');
  await leaveUnreadable('unreadable');

  const store = `/helm/ns/${namespace}/release/store`;
  const deployment = encodeURIComponent(`apps/v1/Deployment/${namespace}/store`);
  const of = (name: string) => `/helm/ns/${namespace}/release/${name}`;
  const addresses = [
    `/helm/ns/${namespace}/releases`,
    '/helm/all-namespaces/releases',
    `/helm/ns/${namespace}/catalog`,
    `/helm/ns/${namespace}/catalog/samples/web`,
    `/helm/ns/${namespace}/catalog/samples/platform`,
    `/helm/ns/${namespace}/elsewhere`,
    `/helm/ns/${namespace}/repositories`,
    `/helm/ns/${namespace}/repositories/add`,
    `/helm/ns/${namespace}/install/samples/web`,
    `/helm/ns/${namespace}/install/samples/schema?view=form`,
    store,
    `${store}/upgrade`,
    `${store}/rollback`,
    `${store}/rollback?revision=1`,
    `${store}/history`,
    `${store}/history?from=1&to=2`,
    `${store}/resources`,
    `${store}/resources?object=${deployment}`,
    `${store}/resources?object=${deployment}&look=events`,
    `${store}/resources?object=${deployment}&look=yaml`,
    ...['topology', 'timeline', 'values', 'manifest', 'logs', 'tests', 'notes'].map((tab) => `${store}/${tab}`),
    ...['old', 'elsewhere', 'queue', 'ledger', 'crash', 'limits', 'slow', 'unreadable', 'nothing-here'].map(of),
  ];
  for (const address of addresses) {
    await stage.visit(address);
    await stage.lead.locator('h1').first().waitFor();
    await expect(stage.lead.locator('.pf-v6-c-skeleton')).toHaveCount(0, { timeout: 30_000 });
    // What a page asks for once it knows the first answer.
    await stage.lead.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
  }
  await stage.end('tour');
});

test('five thousand releases', async ({ browser }) => {
  test.setTimeout(900_000);
  const storm = new Storm();
  try {
    const site = await storm.start();
    const { kubeconfig } = storm;
    const first = await Stage.begin(browser, site, kubeconfig);
    await first.submit({ kind: 'install', namespace: 'storm', name: 'web-0000', chart: 'web', values: '' });
    await first.visit('/helm/ns/storm/release/web-0000');
    await expect(first.lead.getByTestId('phase')).toHaveText('Deployed', { timeout: 120_000 });
    const secrets = '/api/v1/namespaces/storm/secrets';
    const { type, data } = JSON.parse(await kubernetes('GET', `${secrets}/sh.helm.release.v1.web-0000.v1`, undefined, kubeconfig));
    const seed = (number: number) => {
      const name = `web-${String(number).padStart(4, '0')}`;
      const status = number % 97 === 0 ? 'failed' : number % 251 === 0 ? 'pending-upgrade' : 'deployed';
      const labels = { owner: 'helm', name, version: '1', status };
      return kubernetes('POST', secrets, { metadata: { name: `sh.helm.release.v1.${name}.v1`, labels }, type, data }, kubeconfig);
    };
    for (let at = 1; at < 5000; at += 20) await Promise.all(Array.from({ length: Math.min(20, 5000 - at) }, (_, more) => seed(at + more)));
    await first.discard();
    const stage = await Stage.begin(browser, site, kubeconfig);
    await stage.visit('/helm/ns/storm/releases');
    await stage.lead.getByText('5000').first().waitFor({ timeout: 60_000 });
    await stage.lead.waitForTimeout(3000);
    await stage.end('crowd');
  } finally {
    await storm.end();
  }
});
