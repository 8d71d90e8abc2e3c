// A race that passes by itself: helm fails, Slipway tries again, and the page stays calm meanwhile.
import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answers, slipway } from '../demo';
import { unique } from './slipway';

/** A cluster with bad weather before its API server (see testbed/examples/weather.rs), and a Slipway for it. */
class Storm {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'slipway-storm-'));
  private weather?: ChildProcess;
  private server?: ChildProcess;

  async start(): Promise<string> {
    this.weather = spawn(path.join(path.dirname(slipway), 'examples/weather'), [], { stdio: ['pipe', 'pipe', 'ignore'] });
    const [kubeconfig, samples, helm] = await answers(this.weather, [/^Kubeconfig: (.+)/, /^Repository samples: (\S+)/, /^Helm: (.+)/]);
    const where = ['--kubeconfig', kubeconfig, '--data-dir', this.folder, '--helm', helm, '--repository', `samples=${samples}`];
    this.server = spawn(slipway, ['serve', '--listen', '127.0.0.1:0', '--max-runners', '1', ...where], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [url] = await answers(this.server, [/^Slipway is at (\S+)/]);
    return url;
  }

  becomes(weather: 'quota' | 'clear') {
    this.weather!.stdin!.write(`${weather}\n`);
  }

  async end() {
    for (const program of [this.server, this.weather]) {
      if (!program) continue;
      const gone = once(program, 'close');
      program.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

test('a race on a quota is tried again, said so, and never shown as a failure', async ({ page, request }) => {
  test.setTimeout(150_000);
  const storm = new Storm();
  try {
    const url = await storm.start();
    storm.becomes('quota');
    const name = unique('race');
    const { version } = await (await request.get(`${url}/api/v1/charts/samples/web`)).json();
    const chart = { repository: 'samples', name: 'web', version };
    const submit = (name: string) =>
      request.post(`${url}/api/v1/operations`, { data: { kind: 'install', namespace: 'storm', name, chart, values: '' } });
    expect((await submit(name)).status()).toBe(202);
    const second = unique('second');
    expect((await submit(second)).status()).toBe(202);

    await page.goto(`${url}/helm/ns/storm/release/${name}`);
    const phase = page.getByTestId('phase');
    // Each text that the status ever has, as it changes.
    await phase.waitFor();
    const seen = await page.evaluateHandle(() => {
      const texts: string[] = [];
      const note = () => {
        const text = document.querySelector('[data-testid=phase]')?.textContent ?? '';
        if (texts.at(-1) !== text) texts.push(text);
      };
      note();
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
      return texts;
    });
    await expect(phase).toContainText('attempt 2 of 3', { timeout: 60_000 });
    await page.screenshot({ path: 'results/retrying.png' });

    // The other one waits its turn: one runner is all that there is.
    const waiting = await page.context().newPage();
    await waiting.goto(`${url}/helm/ns/storm/release/${second}`);
    await expect(waiting.getByTestId('phase')).toContainText('Queued');
    await waiting.screenshot({ path: 'results/queued.png' });
    await waiting.close();

    storm.becomes('clear');
    await expect(phase).toHaveText('Deployed', { timeout: 60_000 });
    const texts = await seen.jsonValue();
    expect(texts.filter((text) => /failed|pending|unknown/i.test(text)), texts.join(' | ')).toEqual([]);
    const [operation] = await (await request.get(`${url}/api/v1/operations?namespace=storm&name=${name}`)).json();
    expect(operation.attempts.length).toBeGreaterThan(1);
    expect(operation.attempts[0].failure.class).toBe('transient');
  } finally {
    await storm.end();
  }
});
