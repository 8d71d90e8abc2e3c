// Servers of charts, started by a test: repositories and a registry, open or private.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The header that "me" sends with the password "correct horse". */
export const BASIC = `Basic ${Buffer.from('me:correct horse').toString('base64')}`;

/** An archive of the sample charts. */
export async function archive(file: string): Promise<Buffer> {
  const answer = await fetch(`${process.env.SLIPWAY_SAMPLES}/${file}`);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Serves the sample charts below `/charts`, and `web` as a registry has it (`charts/web`), to whoever sends `wants`. */
export async function chartServer(wants?: string) {
  const web = await archive('web-1.0.0.tgz');
  const server = createServer((asked, answer) => {
    if (wants && asked.headers.authorization !== wants) {
      answer.writeHead(401, { 'www-authenticate': 'Basic realm="charts"' }).end();
      return;
    }
    const path = asked.url!.split('?')[0];
    if (path.startsWith('/v2/')) return registry(web, path, answer);
    const file = path.match(/^\/charts\/([\w.-]+)$/)?.[1];
    return file ? repository(file, answer) : void answer.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { host, url: `http://${host}/charts`, oci: `oci://${host}/charts/web`, end };
}

async function repository(file: string, answer: ServerResponse<IncomingMessage>) {
  try {
    answer.end(await archive(file));
  } catch {
    answer.writeHead(404).end();
  }
}

const digest = (content: Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

function registry(archive: Buffer, path: string, answer: ServerResponse<IncomingMessage>) {
  const config = Buffer.from('{}');
  const layer = (mediaType: string, content: Buffer) => ({ mediaType, digest: digest(content), size: content.length });
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType,
      config: layer('application/vnd.cncf.helm.config.v1+json', config),
      layers: [layer('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive)],
    }),
  );
  const send = (type: string, content: Buffer) =>
    answer.writeHead(200, { 'content-type': type, 'content-length': content.length, 'docker-content-digest': digest(content) }).end(content);
  if (path === '/v2/') return answer.end();
  if (path === '/v2/charts/web/tags/list') {
    return answer.end(JSON.stringify({ name: 'charts/web', tags: ['1.0.0', 'v1.0.0_b.1', 'latest'] }));
  }
  const manifests = ['1.0.0', 'v1.0.0_b.1', digest(manifest)].map((tag) => `/v2/charts/web/manifests/${tag}`);
  if (manifests.includes(path)) return send(mediaType, manifest);
  if (path === `/v2/charts/web/blobs/${digest(archive)}`) return send('application/octet-stream', archive);
  if (path === `/v2/charts/web/blobs/${digest(config)}`) return send('application/octet-stream', config);
  return answer.writeHead(404).end();
}
