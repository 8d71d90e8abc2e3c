// Two servers on one cluster: what one has accepted, the other shows, cancels, and brings to its end when the first is gone.
import { expect, test } from './fixture';
import { killRunner } from './cluster';
import { Server, shared } from './server';
import { expectAccessible, picture, unique } from './slipway';

const namespace = 'team-b';
const options = ['--operations-namespace', 'pair'];
const first = new Server(shared(), options);
const other = new Server(shared(), options);
let accepts: string;
let shows: string;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  accepts = await first.start();
  shows = await other.start();
});

test.afterAll(async () => {
  await first.end();
  await other.end();
});

/** Submits a slow install to the first server and opens its page on the other one. */
async function installed(page: import('@playwright/test').Page, name: string, seconds: number) {
  const { version } = await (await page.request.get(`${accepts}/api/v1/charts/samples/web`)).json();
  const chart = { repository: 'samples', name: 'web', version };
  const values = `startup:\n  seconds: ${seconds}\n`;
  const data = { kind: 'install', namespace, name, chart, values };
  const answer = await page.request.post(`${accepts}/api/v1/operations`, { data });
  expect(answer.status(), await answer.text()).toBe(202);
  await page.goto(`${shows}/helm/ns/${namespace}/release/${name}`);
  await expect(page.getByTestId('phase')).toHaveText('Installing', { timeout: 30_000 });
  await expect(page.getByRole('progressbar', { name: 'Resources ready' })).toBeVisible({ timeout: 60_000 });
  return (await answer.json()).id as string;
}

test('what one server accepted is seen and cancelled through the other', async ({ page, request }) => {
  test.setTimeout(150_000);
  const name = unique('cancelled-there');
  const id = await installed(page, name, 60);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel operation' }).click();
  await expect(page.getByTestId('phase')).toHaveText('Cancelled', { timeout: 60_000 });
  await expect(page.getByText('The install was cancelled')).toBeVisible();
  for (const server of [accepts, shows]) {
    const operation = await (await request.get(`${server}/api/v1/operations/${id}`)).json();
    expect(operation).toMatchObject({ state: 'cancelled', cancel: { by: expect.any(String) } });
  }
});

test('what one server leaves when it dies is settled by the other, and run again from there', async ({ page, request }) => {
  test.setTimeout(300_000);
  const name = unique('settled-there');
  const id = await installed(page, name, 25);
  // The whole machine is gone: the server, the runner that it launched, and the helm of that.
  await first.kill();
  expect(killRunner(id), 'a runner, a watchdog and a helm').toBeGreaterThan(2);

  const phase = page.getByTestId('phase');
  await expect(phase).toHaveText('Interrupted', { timeout: 120_000 });
  await expect(page.getByText(/Lease of team-b\/settled-there-\w+/)).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'settled by the other server');
  expect((await (await request.get(`${shows}/api/v1/operations/${id}`)).json()).state).toBe('interrupted');

  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await expect(phase).toHaveText('Deployed', { timeout: 120_000 });
  const [newest] = await (await request.get(`${shows}/api/v1/operations?namespace=${namespace}&name=${name}`)).json();
  expect(newest).toMatchObject({ state: 'succeeded', again: id });
});
