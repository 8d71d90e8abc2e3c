// The mock-ups as a reviewer has them: files that a plain web server offers somewhere below its root.
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';

const TYPES: Record<string, string> = {
  html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json', svg: 'image/svg+xml', wasm: 'application/wasm', woff2: 'font/woff2', webp: 'image/webp',
};

const root = path.resolve(import.meta.dirname, '../..');

export class Site {
  private constructor(
    private readonly server: Server,
    /** The address of the mock-ups' folder. */
    readonly address: string,
  ) {}

  static async open(): Promise<Site> {
    const server = createServer((request, response) => {
      const asked = decodeURIComponent(new URL(request.url!, 'http://site').pathname).replace(/^\/some\/where\//, '');
      const file = path.join(root, 'dist', path.normalize(`/${asked}`));
      const pictures = path.join(root, 'docs/review/pictures', path.basename(asked));
      try {
        const content = readFileSync(asked.startsWith('mockups/pictures/') ? pictures : file);
        response.writeHead(200, { 'content-type': TYPES[path.extname(file).slice(1)] ?? 'application/octet-stream' }).end(content);
      } catch {
        response.writeHead(404).end();
      }
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Site(server, `http://127.0.0.1:${(server.address() as { port: number }).port}/some/where/mockups`);
  }

  async close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

export interface Screen {
  id: string;
  number: string;
  title: string;
  page: string;
  recording: string;
  faults?: object;
}

/** What there is to be reviewed. */
export const review: { screens: Screen[]; flows: { id: string; title: string; recording: string }[] } = JSON.parse(
  readFileSync(path.join(root, 'public/mockups/screens.json'), 'utf8'),
);

/** Where a screen's picture is kept for who cannot open the mock-ups. */
export const pictureOf = (id: string) => path.join(root, 'docs/review/pictures', `${id}.webp`);
