// The server goes away and comes back; the page keeps what it has, says how old it is, and recovers by itself.
import { expect, test, tolerate } from './fixture';
import { Server, shared } from './server';
import { unique } from './slipway';

test('a server killed in mid-install is missed, and its successor shows the same install to its end', async ({ page, request }) => {
  test.setTimeout(150_000);
  // Another one on the same cluster: the other tests go on with the first.
  const second = new Server(shared(), ['--operations-namespace', 'second']);
  const url = await second.start();
  try {
    const name = unique('survivor');
    const { version } = await (await request.get(`${url}/api/v1/charts/samples/web`)).json();
    const chart = { repository: 'samples', name: 'web', version };
    const values = 'startup:\n  seconds: 25\n';
    await request.post(`${url}/api/v1/operations`, { data: { kind: 'install', namespace: 'team-b', name, chart, values } });
    await page.goto(`${url}/helm/ns/team-b/release/${name}`);
    const phase = page.getByTestId('phase');
    await expect(phase).toHaveText(/Installing/);
    await expect(page.getByRole('progressbar', { name: 'Resources ready' })).toBeVisible({ timeout: 30_000 });

    tolerate(page, /net::ERR_(CONNECTION_(REFUSED|RESET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/);
    await second.kill();
    await expect(page.getByText(/Connection to Slipway lost/)).toBeVisible();
    await expect(phase, 'what was known stays').toHaveText(/Installing/);

    expect(await second.start(new URL(url).port)).toBe(url);
    await expect(page.getByText(/Connection to Slipway lost/)).toBeHidden({ timeout: 60_000 });
    await expect(phase).toHaveText('Deployed', { timeout: 60_000 });
    const [operation] = await (await request.get(`${url}/api/v1/operations?namespace=team-b&name=${name}`)).json();
    expect(operation).toMatchObject({ state: 'succeeded', attempts: [{ number: 1 }] });
  } finally {
    await second.end();
  }
});
