// Where a flow is recorded: pages of the real product on a real cluster. What the server answers to them is noted with its
// time, and so is what the user does; the player (public/mockups/player.js) makes the same pages of it again.
import type { Browser, BrowserContext, Locator, Page, Response } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { kubernetes } from '../tests/cluster';

const folder = path.resolve(import.meta.dirname, '../../public/mockups/recordings');

/** What is asked with the state that is known, and answered when there is another one: the state is no part of the question. */
const FOLLOWED = ['releases', 'release', 'activity'];

/** One thing that happened, `at` milliseconds after the beginning. */
type Step =
  | { at: number; address: string }
  | { at: number; note: string }
  | { at: number; fill: string; value: string }
  | { at: number; click: string }
  | { at: number; closed: boolean }
  | { at: number; away: boolean };

/** How the Secrets of a release stood, as kubectl shows them. */
type Record = { revision: number; status: string };

/** How to find an element again on the same page (CSS). */
const placeOf = (what: Locator) =>
  what.evaluate((found) => {
    const path: string[] = [];
    for (let element: Element | null = found; element; element = element.parentElement) {
      if (element.id) {
        path.unshift(`#${CSS.escape(element.id)}`);
        break;
      }
      const { tagName, parentElement } = element;
      const alike = [...(parentElement?.children ?? [])].filter((one) => one.tagName === tagName);
      path.unshift(`${tagName.toLowerCase()}:nth-of-type(${alike.indexOf(element) + 1})`);
    }
    return path.join(' > ');
  });

export class Stage {
  private readonly began = Date.now();
  private readonly bodies: string[] = [];
  private readonly known = new Map<string, number>();
  private readonly answers: { [question: string]: [number, number, number][] } = {};
  private readonly streams: { [address: string]: [number, string, string][] } = {};
  private readonly steps: Step[] = [];
  private readonly records: [number, Record[]][] = [];
  private readonly pending = new Set<Promise<void>>();
  private watching?: Promise<void>;
  private ended = false;

  private constructor(
    private readonly context: BrowserContext,
    /** Another browser of the same user: what the lead's keeps (what it waits for) is not read by these pages. */
    private readonly others: BrowserContext,
    private readonly base: string,
    readonly lead: Page,
    private readonly kubeconfig: string | undefined,
  ) {}

  /** Begins: a browser of its own, with the page that the viewer will see. `site` is Slipway's address; `kubeconfig` names its
   *  cluster, where that is not the one that all share. */
  static async begin(browser: Browser, site: string, kubeconfig?: string): Promise<Stage> {
    const { default: cluster } = await (await fetch(`${new URL(site).origin}/api/v1/clusters`)).json();
    const base = `${new URL(site).origin}/c/${encodeURIComponent(cluster)}`;
    const look = { viewport: { width: 1440, height: 900 }, locale: 'en' };
    const [context, others] = [await browser.newContext(look), await browser.newContext(look)];
    const stage = new Stage(context, others, base, await context.newPage(), kubeconfig);
    await stage.listen(stage.lead);
    stage.lead.on('framenavigated', () => stage.noteAddress());
    return stage;
  }

  /** Submits an operation by the API for programs, as a user of another page or of a pipeline would; gives its id. */
  async submit(body: { name: string; chart?: string } & Record<string, unknown>): Promise<string> {
    const api = (path: string, init?: RequestInit) => fetch(`${this.base}/api/v1${path}`, init);
    const version = async (name: string) => (await (await api(`/charts/samples/${name}`)).json()).version;
    const chart = body.chart && { repository: 'samples', name: body.chart, version: body.version ?? (await version(body.chart)) };
    const { version: _, ...rest } = body as Record<string, unknown>;
    const answer = await api('/operations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...rest, chart }),
    });
    if (answer.status !== 202) throw new Error(await answer.text());
    return (await answer.json()).id;
  }

  private get at() {
    return Date.now() - this.began;
  }

  /** Says what is to be seen from now on. */
  note(note: string) {
    this.steps.push({ at: this.at, note });
  }

  /** The lead goes to an address of this cluster. */
  async visit(address: string) {
    await this.lead.goto(this.base + address);
  }

  /** Presses it: in the recording, too. */
  async press(what: Locator) {
    const click = await placeOf(what);
    this.steps.push({ at: this.at, click });
    await what.click();
  }

  /** Types into it: in the recording, too. */
  async type(what: Locator, value: string) {
    const fill = await placeOf(what);
    this.steps.push({ at: this.at, fill, value });
    await what.fill(value);
  }

  /** Chooses from a list: in the recording, too. */
  async choose(what: Locator, value: string) {
    const fill = await placeOf(what);
    this.steps.push({ at: this.at, fill, value });
    await what.selectOption(value);
  }

  /** Waits until the lead shows a text that matches, and not a moment longer: what follows is noted with its time. */
  async until(testId: string, pattern: RegExp, timeout = 120_000) {
    const asked = [testId, pattern.source] as const;
    await this.lead.waitForFunction(
      ([id, source]) => new RegExp(source).test(document.querySelector(`[data-testid=${id}]`)?.textContent ?? ''),
      asked,
      { timeout },
    );
  }

  /** The user closes the browser, or opens it again at this address. */
  async closed(address?: string) {
    this.steps.push({ at: this.at, closed: address === undefined });
    if (address === undefined) await this.lead.goto('about:blank');
    else await this.visit(address);
  }

  /** The server has gone, or is back. */
  away(away: boolean) {
    this.steps.push({ at: this.at, away });
  }

  /** Further pages beside the lead, whose answers are noted as well: who plays the recording can look into each. */
  async beside(...addresses: string[]): Promise<Page[]> {
    return Promise.all(
      addresses.map(async (address) => {
        const page = await this.others.newPage();
        await this.listen(page);
        await page.goto(this.base + address);
        return page;
      }),
    );
  }

  /** Notes each state of helm's own records of a release, until the end. */
  follow(namespace: string, name: string) {
    const selector = encodeURIComponent(`owner=helm,name=${name}`);
    const address = `/api/v1/namespaces/${namespace}/secrets?labelSelector=${selector}`;
    this.watching = (async () => {
      while (!this.ended) {
        const list = JSON.parse(await kubernetes('GET', address, undefined, this.kubeconfig));
        const found: Record[] = list.items.map(({ metadata: { labels } }: any) => ({ revision: Number(labels.version), status: labels.status }));
        const last = this.records.at(-1)?.[1];
        if (JSON.stringify(last) !== JSON.stringify(found)) this.records.push([this.at, found]);
        // As often as a person at a terminal could see a difference.
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    })();
  }

  /** Ends, and keeps all that was noted. */
  async end(name: string) {
    this.ended = true;
    await this.watching;
    await Promise.all(this.pending);
    const length = this.at;
    await Promise.all([this.context.close(), this.others.close()]);
    const recording = {
      began: this.began,
      length,
      cluster: decodeURIComponent(new URL(this.base).pathname.split('/')[2]),
      steps: this.steps,
      records: this.records,
      bodies: this.bodies.map((body) => JSON.parse(body)),
      answers: this.answers,
      streams: this.streams,
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(recording), { level: 9 }));
  }

  /** Ends, and keeps nothing. */
  async discard() {
    this.ended = true;
    await this.watching;
    await Promise.all([this.context.close(), this.others.close()]);
  }

  private async listen(page: Page) {
    page.on('response', (response) => {
      const noting = this.noteAnswer(response).catch(() => {}); // The page gave it up.
      this.pending.add(noting);
      noting.finally(() => this.pending.delete(noting));
    });
    await page.exposeFunction('slipwayNote', (address: string, event: string, data: string) => {
      const place = address.replace(new URL(this.base).pathname, '');
      (this.streams[place] ??= []).push([this.at, event, data]);
    });
    // What the server streams cannot be read from outside before it ends.
    await page.addInitScript(() => {
      const note = (window as any).slipwayNote as (address: string, event: string, data: string) => void;
      const Real = window.EventSource;
      window.EventSource = class extends Real {
        constructor(address: string | URL) {
          super(address);
          for (const event of ['open', 'message', 'end']) {
            this.addEventListener(event, (told) => note(String(address), event, (told as MessageEvent).data ?? ''));
          }
        }
      };
    });
  }

  private noteAddress() {
    const address = this.lead.url().replace(this.base, '');
    const last = this.steps.findLast((step) => 'address' in step);
    if (address.startsWith('/') && last?.address !== address) this.steps.push({ at: this.at, address });
  }

  private async noteAnswer(response: Response) {
    const call = new URL(response.url()).pathname.match(/\/api\/ui\/([\w-]+)$/)?.[1];
    if (!call) return;
    const at = this.at;
    const asked = response.request().postDataJSON();
    const text = await response.text();
    const answer = JSON.parse(text);
    if (FOLLOWED.includes(call)) delete asked.since;
    // The clock is the player's. An answer that only says "as before" is none.
    if (answer && typeof answer === 'object' && 'now' in answer) answer.now = 0;
    if (call === 'activity' && answer.doings === null) return;
    const all = (this.answers[`${call} ${JSON.stringify(asked)}`] ??= []);
    const body = this.body(JSON.stringify(answer));
    if (all.at(-1)?.[2] !== body) all.push([at, response.status(), body]);
  }

  private body(text: string): number {
    const known = this.known.get(text) ?? this.bodies.push(text) - 1;
    this.known.set(text, known);
    return known;
  }
}
