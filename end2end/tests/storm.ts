// A cluster of its own, in which what others must not meet can be brought about.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { answers, slipway } from '../demo';
import { Server } from './server';

/** A cluster with bad weather before its API server (see testbed/examples/weather.rs), and a Slipway for it. */
export class Storm {
  kubeconfig = '';
  private weather?: ChildProcess;
  private server?: Server;

  async start(): Promise<string> {
    this.weather = spawn(path.join(path.dirname(slipway), 'examples/weather'), [], { stdio: ['pipe', 'pipe', 'ignore'] });
    const [kubeconfig, samples, helm] = await answers(this.weather, [/^Kubeconfig: (.+)/, /^Repository samples: (\S+)/, /^Helm: (.+)/]);
    this.kubeconfig = kubeconfig;
    this.server = new Server({ kubeconfig, samples, helm }, ['--max-runners', '1']);
    return this.server.start();
  }

  becomes(weather: 'quota' | 'clear') {
    this.weather!.stdin!.write(`${weather}\n`);
  }

  async end() {
    await this.server?.end();
    if (!this.weather) return;
    const gone = once(this.weather, 'close');
    this.weather.kill('SIGKILL');
    await gone;
  }
}
