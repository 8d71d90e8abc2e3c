// What is done with a release: the log of an operation while it runs and afterwards, and the chart's own tests.
import { expect, test } from './fixture';
import { kubernetes } from './cluster';
import { chart, ended, looksWell, release, submit, unique } from './slipway';

const namespace = 'demo';

/** Whether the cluster has a node that runs containers for real; on the simulated one nothing writes a log. */
async function hasRealNode(): Promise<boolean> {
  const selector = encodeURIComponent('slipway.dev/node=real');
  return JSON.parse(await kubernetes('GET', `/api/v1/nodes?labelSelector=${selector}`)).items.length > 0;
}

test('the log of an install is followed while it runs, and found again afterwards', async ({ page, request }) => {
  test.setTimeout(180_000);
  const name = unique('logged');
  const web = await chart(request, 'web');
  const slow = { kind: 'install', namespace, name, chart: web, values: 'startup:\n  seconds: 20\n' };
  const id = await submit(request, slow);
  await page.goto(`${release(namespace, name)}/log`);
  await expect(page).toHaveURL(`${release(namespace, name)}/logs`);
  const log = page.getByRole('log');
  await expect(log).toContainText('$ helm install', { timeout: 30_000 });
  await expect(page.getByText('Following the log')).toBeVisible();
  await expect(page.getByTestId('phase')).toHaveText('Installing');
  await looksWell(page, 'log of a running install');
  await expect(log).toContainText('STATUS: deployed', { timeout: 90_000 });
  await expect(page.getByText('The operation has ended.')).toBeVisible();
  const search = page.getByRole('textbox', { name: 'Find in the log' });
  await search.fill('status');
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible();

  const next = await submit(request, { ...slow, kind: 'upgrade', values: 'replicas: 1\n' });
  await expect(log, 'the newest operation is what is shown').toContainText('$ helm upgrade', { timeout: 60_000 });
  expect(await ended(request, next)).toBe('succeeded');
  const choice = page.getByRole('combobox', { name: 'Operation' });
  await expect(choice.getByRole('option')).toHaveText([/^Upgrade, .*: succeeded$/, /^Install, .*: succeeded$/]);
  await choice.selectOption(id);
  await expect(page).toHaveURL(new RegExp(`op=${id}`));
  await expect(log).toContainText('$ helm install');
  await page.getByText('The same in a terminal').click();
  await expect(page.getByRole('region', { name: 'Command line' })).toContainText('helm install');
});

test('the tests of a release pass and fail, and tell what they said', async ({ page, request }) => {
  test.setTimeout(240_000);
  const isReal = await hasRealNode();
  const name = unique('trials');
  const web = await chart(request, 'web');
  const values = isReal ? 'node: real\nreplicas: 1\n' : 'replicas: 1\n';
  const install = { kind: 'install', namespace, name, chart: web, values };
  expect(await ended(request, await submit(request, install))).toBe('succeeded');
  await page.goto(`${release(namespace, name)}/tests`);
  await expect(page.getByText('1 test, not run yet')).toBeVisible();
  const run = async () => {
    await page.getByRole('button', { name: 'Run tests' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run the release’s tests?' });
    await dialog.getByText('The same in a terminal').click();
    await expect(dialog.getByRole('region', { name: 'Command line' })).toContainText(new RegExp(`helm test .*${name}`, 's'));
    await dialog.getByRole('button', { name: 'Run tests' }).click();
    await expect(dialog).toBeHidden();
    await expect(page, 'it stays here').toHaveURL(/\/tests$/);
  };
  await run();
  await expect(page.getByText('1 of 1 test passed')).toBeVisible({ timeout: 90_000 });
  const trial = page.locator('li.trial').filter({ hasText: `${name}-answers` });
  await expect(trial).toContainText('Passed');
  if (!isReal) {
    const description = 'this machine has no real node, so tests have no logs and none fails: passing alone is looked at';
    test.info().annotations.push({ type: 'without a real node', description });
    console.log(`release-runs.spec.ts: ${description}`);
    await looksWell(page, 'tests passed');
    return;
  }
  await trial.getByText('What it said').click();
  await expect(trial.getByRole('region', { name: /^Log of / })).toContainText('It works');
  await looksWell(page, 'tests passed');

  const other = { ...install, kind: 'upgrade', values: `${values}expect: No such words\n` };
  expect(await ended(request, await submit(request, other))).toBe('succeeded');
  await expect(page.getByText('Of revision 2')).toBeVisible();
  await expect(trial).toContainText('Not run');
  await run();
  await expect(trial).toContainText('Failed', { timeout: 90_000 });
  await expect(trial).toContainText('the page does not say No such words');
  await looksWell(page, 'tests failed');
  await page.getByRole('link', { name: 'See Helm’s log' }).click();
  await expect(page.getByRole('log')).toContainText('$ helm test');
});

test('a chart without tests is told what they would be', async ({ page, request }) => {
  const name = unique('untested');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'schema') };
  await ended(request, await submit(request, body));
  await page.goto(`${release(namespace, name)}/tests`);
  await expect(page.getByRole('heading', { name: 'This chart has no tests' })).toBeVisible();
  await expect(page.getByText('helm.sh/hook: test')).toBeVisible();
  await looksWell(page, 'no tests');
});
