// A race that passes by itself: helm fails, Slipway tries again, and the page stays calm meanwhile.
import { expect, test, type Page } from './fixture';
import { picture, unique } from './slipway';
import { Storm } from './storm';

/** Each text that an element ever has, as it changes. */
const texts = (page: Page, testId: string) =>
  page.evaluateHandle((id) => {
    const seen: string[] = [];
    const note = () => {
      const text = document.querySelector(`[data-testid=${id}]`)?.textContent ?? '';
      if (seen.at(-1) !== text) seen.push(text);
    };
    note();
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  }, testId);

test('a race on a quota is tried again, said so with the time, and never shown as a failure', async ({ page, request }) => {
  test.setTimeout(300_000);
  const storm = new Storm();
  try {
    const url = await storm.start();
    storm.becomes('quota');
    const { version } = await (await request.get(`${url}/api/v1/charts/samples/web`)).json();
    const chart = { repository: 'samples', name: 'web', version };
    const submit = async (name: string, values: string) => {
      const data = { kind: 'install', namespace: 'storm', name, chart, values };
      expect((await request.post(`${url}/api/v1/operations`, { data })).status()).toBe(202);
    };
    const [name, second, third] = ['race', 'second', 'third'].map((stem) => unique(stem));
    // The page is there before anything happens, and misses nothing.
    await page.goto(`${url}/helm/ns/storm/release/${name}`);
    const phase = page.getByTestId('phase');
    await expect(phase).toHaveText('Not found');
    const phases = await texts(page, 'phase');
    const words = await texts(page, 'now');
    await submit(name, 'startup:\n  seconds: 60\n');
    await submit(second, '');
    await submit(third, '');

    // The second pause is the longer one: there is time to look at it.
    await expect(page.getByTestId('now')).toHaveText(/^Installing, attempt 3 of 3, next in \d+ s$/, { timeout: 60_000 });
    storm.becomes('clear');
    await picture(page, 'before the third attempt');
    await test.step('the others wait their turn, and see which it is: there is one runner', async () => {
      for (const [waiting, place] of [[second, 'Next in line'], [third, '2nd in line']]) {
        const other = await page.context().newPage();
        await other.goto(`${url}/helm/ns/storm/release/${waiting}`);
        await expect(other.getByTestId('phase')).toHaveText('Queued');
        await expect(other.getByText(place, { exact: true })).toBeVisible();
        await picture(other, `in the queue, ${place}`);
        await other.close();
      }
    });
    await expect(phase).toHaveText('Deployed', { timeout: 120_000 });
    const seen = await phases.jsonValue();
    expect(seen.filter((text) => /failed|pending|unknown/i.test(text)), seen.join(' | ')).toEqual([]);
    // Second by second, down to the attempt itself.
    const counted = (attempt: number) => {
      const pattern = new RegExp(`^Installing, attempt ${attempt} of 3, next in (\\d+) s$`);
      return words.jsonValue().then((all) => all.flatMap((text) => text.match(pattern)?.[1] ?? []).map(Number));
    };
    expect((await counted(2)).length, 'the first pause is 2 s').toBeGreaterThan(0);
    const pause = await counted(3);
    expect(pause[0]).toBeGreaterThanOrEqual(4);
    expect(pause).toEqual([...pause].sort((one, other) => other - one));
    const [operation] = await (await request.get(`${url}/api/v1/operations?namespace=storm&name=${name}`)).json();
    expect(operation.attempts.map((one: any) => one.failure?.class)).toEqual(['transient', 'transient', undefined]);

    await test.step('and then it is their turn', async () => {
      await page.goto(`${url}/helm/ns/storm/release/${third}`);
      await expect(phase).toHaveText('Deployed', { timeout: 60_000 });
    });
  } finally {
    // It asks on, and would find nobody.
    await page.close();
    await storm.end();
  }
});
