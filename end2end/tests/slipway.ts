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

/** Fails with each accessibility fault that axe finds on the page as it is now. */
export async function expectAccessible(page: Page) {
  // A page whose code is still on its way has no heading yet.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const faults = violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((n) => n.html).join('\n  ')}`);
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

/** Keeps a picture of the page as it is. */
export async function picture(page: Page, title: string) {
  await page.screenshot({ path: `results/screens/${title}.png`.replaceAll(/[ ,]+/g, '-'), fullPage: true });
}

/** Both themes, at both widths. */
export const looks = [
  ['light', { colorScheme: 'light', viewport: { width: 1440, height: 900 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1440, height: 900 } }],
  ['light, on a phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
] as const;

/** The page as it is, in each of the looks: accessible, and nothing beyond its edge. */
export async function looksWell(page: Page, title: string) {
  const before = page.viewportSize()!;
  for (const [look, { colorScheme, viewport }] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), look).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `results/screens/${title} ${look}.png`.replaceAll(/[ ,]+/g, '-') });
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}
