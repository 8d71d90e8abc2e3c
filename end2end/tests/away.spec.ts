// The server goes away and comes back; the page keeps what it has, says how old it is, and recovers by itself.
import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answers, slipway } from '../demo';
import { unique } from './slipway';

/** A second Slipway on the same cluster, to be killed: the other tests go on with the first. */
class Second {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'slipway-second-'));
  private process?: ChildProcess;

  /** Starts it; on the port that it had, when it was killed. */
  async start(port = '0'): Promise<string> {
    const { SLIPWAY_KUBECONFIG, SLIPWAY_SAMPLES, SLIPWAY_HELM } = process.env;
    const options = ['--kubeconfig', SLIPWAY_KUBECONFIG!, '--data-dir', this.folder, '--operations-namespace', 'second'];
    const where = ['--listen', `127.0.0.1:${port}`, '--helm', SLIPWAY_HELM!, '--repository', `samples=${SLIPWAY_SAMPLES}`];
    this.process = spawn(slipway, ['serve', ...options, ...where], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [url] = await answers(this.process, [/^Slipway is at (\S+)/]);
    return url;
  }

  async kill() {
    const gone = once(this.process!, 'close');
    this.process!.kill('SIGKILL');
    await gone;
  }

  async end() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

test('a server killed in mid-install is missed, and its successor shows the same install to its end', async ({ page, request }) => {
  test.setTimeout(150_000);
  const second = new Second();
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
