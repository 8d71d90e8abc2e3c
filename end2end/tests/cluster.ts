// What a test does behind Slipway's back: asks the cluster itself, and ends processes.
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request as https } from 'node:https';
import path from 'node:path';

/** Asks a cluster itself, as its administrator: the one that all tests share, unless another one is named. */
export function kubernetes(method: string, path: string, body?: object, kubeconfig = process.env.SLIPWAY_KUBECONFIG!): Promise<string> {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${users[0].user.token}`, 'content-type': type };
  const options = { method, ca: Buffer.from(ca, 'base64'), headers };
  return new Promise((resolve, reject) => {
    const sent = https(server + path, options, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part));
      answer.on('end', () => (answer.statusCode! < 300 ? resolve(text) : reject(new Error(text))));
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

/** A way to the cluster on which its clock seems to be `ahead` milliseconds ahead: its kubeconfig, and its end. */
export async function laterCluster(folder: string, ahead: number) {
  const config = JSON.parse(readFileSync(process.env.SLIPWAY_KUBECONFIG!, 'utf8'));
  const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster;
  const agent = new Agent({ ca: Buffer.from(ca, 'base64') });
  const proxy = createServer((asked, answer) => {
    const sent = https(server + asked.url, { method: asked.method, headers: asked.headers, agent }, (found) => {
      answer.writeHead(found.statusCode!, { ...found.headers, date: new Date(Date.now() + ahead).toUTCString() });
      answer.flushHeaders();
      found.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  config.clusters[0].cluster = { server: `http://127.0.0.1:${(proxy.address() as { port: number }).port}` };
  const kubeconfig = path.join(folder, 'later.kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  const end = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
  return { kubeconfig, end };
}

/** Makes the record that a helm elsewhere would write before it begins an upgrade: of the release's next revision. */
export async function leavePending(namespace: string, name: string) {
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const { type, data } = JSON.parse(await kubernetes('GET', `${secrets}/sh.helm.release.v1.${name}.v1`));
  const labels = { owner: 'helm', name, version: '2', status: 'pending-upgrade' };
  await kubernetes('POST', secrets, { metadata: { name: `sh.helm.release.v1.${name}.v2`, labels }, type, data });
}

/** The processes whose command line has `word` in it, and all that they have started. */
function processes(word: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // It has ended since.
    }
  };
  const parents = new Map(all.map((pid) => [pid, read(pid, 'stat').replace(/^.*\) \S /s, '').split(' ')[0]]));
  const found = new Set(all.filter((pid) => read(pid, 'cmdline').split('\0').includes(word)));
  const isNew = (pid: string) => !found.has(pid) && found.has(parents.get(pid) ?? '');
  for (let children = all.filter(isNew); children.length > 0; children = all.filter(isNew)) {
    children.forEach((pid) => found.add(pid));
  }
  return [...found].map(Number);
}

/** Kills the runner of an operation, and its helm, at once. Gives how many processes that were. */
export function killRunner(operation: string): number {
  const victims = processes(operation);
  // Stopped first, so that none of them does anything about the others' end.
  for (const signal of ['SIGSTOP', 'SIGKILL']) {
    for (const pid of victims) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended with its parent.
      }
    }
  }
  return victims.length;
}
