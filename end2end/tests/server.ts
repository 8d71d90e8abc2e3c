// A further `slipway serve`, for what the one that all tests share must not suffer.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answers, slipway } from '../demo';

/** Where its cluster, its charts and its helm are. */
export interface Place {
  kubeconfig: string;
  samples: string;
  helm: string;
}

/** The cluster that all tests share. */
export const shared = (): Place => ({
  kubeconfig: process.env.SLIPWAY_KUBECONFIG!,
  samples: process.env.SLIPWAY_SAMPLES!,
  helm: process.env.SLIPWAY_HELM!,
});

/** A server with a data folder of its own: a machine of its own, as far as the others can tell. */
export class Server {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'slipway-server-'));
  private process?: ChildProcess;

  constructor(
    readonly place: Place,
    private options: string[],
  ) {}

  /** Starts it, and gives its address; on the port that it had, when it was killed. */
  async start(port = '0'): Promise<string> {
    const { kubeconfig, samples, helm } = this.place;
    const where = ['--kubeconfig', kubeconfig, '--helm', helm, '--repository', `samples=${samples}`, '--data-dir', this.folder];
    this.process = spawn(slipway, ['serve', '--listen', `127.0.0.1:${port}`, ...where, ...this.options], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [url] = await answers(this.process, [/^Slipway is at (\S+)/]);
    return url;
  }

  async kill() {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = once(this.process, 'close');
    this.process.kill('SIGKILL');
    await gone;
  }

  async end() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
