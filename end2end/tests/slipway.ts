// What the tests share: names of their own, the JSON API, and the checks that every page must pass.
import AxeBuilder from '@axe-core/playwright';
import { expect, type APIRequestContext, type Page } from '@playwright/test';
import { randomBytes } from 'node:crypto';

/** The address of the Slipway under test. */
export const url = () => process.env.SLIPWAY_URL!;

/** The key under which the browser keeps something of the cluster under test (app/src/cluster.rs). */
export const kept = (name: string) => `${name}@${new URL(url()).pathname}`;

/** A release name that no other test uses. */
export const unique = (stem: string) => `${stem}-${randomBytes(3).toString('hex')}`;

/** WCAG 2.2 AA and axe's own advice; the one rule that only 2.2 has is off in axe unless it is asked for. */
const rules = { 'target-size': { enabled: true } };

/** Waits until what has changed is drawn and no colour is on its way to another one: axe would measure it half way. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map((one) => one.finished));
  });

/** Fails with each accessibility fault that axe finds on the page as it is now. A menu may cover a part of a target. */
export async function expectAccessible(page: Page, covered = false) {
  // A page whose code is still on its way has no heading yet.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).options({ rules: covered ? {} : rules }).analyze();
  const faults = violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((n) => `${n.html}\n    ${n.failureSummary}`).join('\n  ')}`);
  expect(faults).toEqual([]);
}

/** A chart of the samples as the API takes it: its newest version, unless another one is named. */
export async function chart(request: APIRequestContext, name: string, version?: string) {
  const newest = async () => (await (await request.get(`${url()}/api/v1/charts/samples/${name}`)).json()).version;
  return { repository: 'samples', name, version: version ?? (await newest()) };
}

/** The address of a release's page. */
export const release = (namespace: string, name: string) => `${url()}/helm/ns/${namespace}/release/${name}`;

/** Submits an operation by the JSON API and answers with its id. */
export async function submit(request: APIRequestContext, body: object): Promise<string> {
  const answer = await request.post(`${url()}/api/v1/operations`, { data: body });
  expect(answer.status(), await answer.text()).toBe(202);
  return (await answer.json()).id;
}

/** Follows an operation to its end and answers with its last state. */
export async function ended(request: APIRequestContext, id: string): Promise<string> {
  const terminal = ['succeeded', 'failed', 'cancelled', 'interrupted'];
  let state = '';
  await expect
    .poll(
      async () => {
        state = (await (await request.get(`${url()}/api/v1/operations/${id}`)).json()).state;
        return terminal.includes(state);
      },
      { timeout: 80_000 },
    )
    .toBe(true);
  return state;
}

/** Both themes, at both widths. */
export const looks = [
  ['light', { colorScheme: 'light', viewport: { width: 1440, height: 900 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1440, height: 900 } }],
  ['light, on a phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
] as const;

/** The file that a picture is kept in; the gallery puts those of a title beside each other. */
export const file = (title: string, look: string) => `${title} ${look}.png`.replaceAll(/[ ,]+/g, '-');

/** Keeps a picture of what is in the window, or of all that its content has. */
export async function snap(page: Page, title: string, look: string, whole = false) {
  const before = page.viewportSize()!;
  // The content scrolls within the page.
  const beyond = () => {
    const main = document.querySelector('main');
    return main ? main.scrollHeight - main.clientHeight : 0;
  };
  const height = before.height + (whole ? Math.min(await page.evaluate(beyond), 3_000) : 0);
  if (height > before.height) await page.setViewportSize({ ...before, height });
  await page.screenshot({ path: `results/screens/${file(title, look)}`, fullPage: whole, animations: 'disabled' });
  if (height > before.height) await page.setViewportSize(before);
}

/** Does something with the page in each of the looks, and leaves it in the one that it had. */
export async function inEachLook(page: Page, act: (look: string) => Promise<unknown>) {
  const before = page.viewportSize()!;
  for (const [look, { colorScheme, viewport }] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await act(look);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}

/** Keeps pictures of a state, in each of the looks. */
export const picture = (page: Page, title: string) => inEachLook(page, (look) => snap(page, title, look, true));

/** Accessible, and nothing beyond the page's edge, nor anything that lies over it. */
export async function fits(page: Page, what: string, covered = false) {
  await expectAccessible(page, covered);
  const beyond = await page.evaluate(() => {
    const over = [...document.querySelectorAll('.dropdown-panel, dialog[open], [role=tooltip]')].filter((it) => it.checkVisibility({ visibilityProperty: true })).map((it) => it.getBoundingClientRect());
    const outside = over.filter((it) => it.width > 0 && (it.left < 0 || it.right > innerWidth + 1));
    return Math.max(document.documentElement.scrollWidth - innerWidth, ...outside.map((it) => Math.max(-it.left, it.right - innerWidth)));
  });
  expect(beyond, what).toBeLessThanOrEqual(0);
}

/** The page as it is, in each of the looks: accessible, and nothing beyond its edge. */
export const looksWell = (page: Page, title: string, fullPage = false) =>
  inEachLook(page, async (look) => {
    const [html, dark] = [page.locator('html'), /pf-v6-theme-dark/];
    await (look.startsWith('dark') ? expect(html).toHaveClass(dark) : expect(html).not.toHaveClass(dark));
    await fits(page, look);
    await snap(page, title, look, fullPage);
  });
