// Starts `slipway demo` before the tests and ends it after them. What it printed tells the tests where things are.
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** The program under test. */
export const slipway = process.env.SLIPWAY ?? path.join(root, 'target/debug/slipway');

/** Reads a program's standard output until each pattern has matched a line; each pattern's first group is its answer. */
export function answers(program: ChildProcess, patterns: RegExp[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const found: string[] = [];
    program.once('exit', (code) => reject(new Error(`the program ended with ${code} before it was ready`)));
    createInterface({ input: program.stdout! }).on('line', (line) => {
      patterns.forEach((pattern, at) => (found[at] ??= line.match(pattern)?.[1] as string));
      if (patterns.every((_, at) => found[at])) resolve(found);
    });
  });
}

export default async function start() {
  if (process.env.SLIPWAY_URL) return;
  mkdirSync(path.join(root, 'end2end/results'), { recursive: true });
  // With a node that runs containers for real, where the machine allows it: only there a hook writes a log.
  const env = { SLIPWAY_REAL_NODE: '1', ...process.env };
  const program = spawn(slipway, ['demo', '--listen', '127.0.0.1:0'], { stdio: ['pipe', 'pipe', 'pipe'], env });
  program.stderr!.pipe(createWriteStream(path.join(root, 'end2end/results/demo.log')));
  const [url, kubeconfig, repository, helm] = await answers(program, [
    /^Slipway is at (\S+)/,
    /^Kubeconfig: (.+)/,
    /^Repository samples: (\S+)/,
    /^Helm: (.+)/,
  ]);
  // An address without a cluster leads to one with it; the tests name those that the browser ends up with.
  const { default: cluster } = await (await fetch(`${url}/api/v1/clusters`)).json();
  const SLIPWAY_URL = `${url}/c/${encodeURIComponent(cluster)}`;
  Object.assign(process.env, { SLIPWAY_URL, SLIPWAY_KUBECONFIG: kubeconfig, SLIPWAY_SAMPLES: repository, SLIPWAY_HELM: helm });
  return async () => {
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill('SIGTERM');
    await ended;
  };
}
