// The mock-ups, as a reviewer opens them: from a plain file server, below a path of its own.
import { expect, test } from './fixture';
import { existsSync, readFileSync } from 'node:fs';
import { LOOK, difference, settle, shot } from './shot';
import { Site, pictureOf, review } from './site';
import { expectAccessible } from './slipway';

let site: Site;
test.beforeAll(async () => {
  site = await Site.open();
});
test.afterAll(() => site.close());

test.describe('screens', () => {
  test.use(LOOK);
  for (const screen of review.screens) {
    test(`screen ${screen.number}, ${screen.title}`, async ({ page }) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      const failed: string[] = [];
      page.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
      await settle(page, `${site.address}/screen.html?screen=${screen.id}`, Object.values(screen.faults ?? {}).includes('held'));
      await expect(page.getByText('This is not in the recording')).toHaveCount(0);
      await expectAccessible(page);
      expect(errors).toEqual([]);
      expect(failed).toEqual([]);
      const picture = pictureOf(screen.id);
      expect(existsSync(picture), 'it has a picture: `make mockups-export`').toBe(true);
      expect(await difference(page, readFileSync(picture), await shot(page)), 'its picture is current: `make mockups-export`').toBeLessThan(4);
    });
  }
});

for (const flow of review.flows) {
  test(`flow ${flow.title} is played to its end`, async ({ page }) => {
    await page.goto(`${site.address}/index.html#/flow/${flow.id}`);
    const shown = page.frameLocator('iframe');
    await expect(page.locator('iframe')).toHaveAttribute('data-ready', 'true');
    await expectAccessible(page);
    const said = page.locator('.said');
    const first = await said.textContent();
    // Faster than a person would.
    await page.locator('iframe').evaluate((frame: HTMLIFrameElement) => (frame.contentWindow as any).slipwayPlayer.play(24));
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible({ timeout: 60_000 });
    expect(await said.textContent()).not.toBe(first);
    await expect(shown.getByText('This is not in the recording')).toHaveCount(0);
    await test.step('and goes back to its beginning, by the scrubber', async () => {
      const range = page.getByRole('slider');
      await range.focus();
      await page.keyboard.press('Home');
      await expect(said).toHaveText(first!);
      await expect(shown.locator('h1').first()).toBeAttached();
    });
  });
}

test('during the race on a quota the record fails twice, and the page never says so', async ({ page }) => {
  await page.goto(`${site.address}/index.html#/flow/quota-race`);
  await expect(page.locator('iframe')).toHaveAttribute('data-ready', 'true');
  const phases = await page.locator('iframe').evaluateHandle((frame: HTMLIFrameElement) => {
    const { document, MutationObserver } = frame.contentWindow as any;
    const seen: string[] = [];
    const note = () => {
      const text = document.querySelector('[data-testid=phase]')?.textContent ?? '';
      if (seen.at(-1) !== text) seen.push(text);
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    (frame.contentWindow as any).slipwayPlayer.play(8);
    return seen;
  });
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible({ timeout: 60_000 });
  const beside = page.getByRole('region', { name: /Today/ });
  await expect(beside.getByText(/^v[12] failed$/)).toHaveCount(2);
  expect((await phases.jsonValue()).filter((text) => /failed|unknown/i.test(text))).toEqual([]);
});

test('a comment is kept in the browser, and told as Markdown', async ({ page }) => {
  await page.goto(`${site.address}/index.html#/screen/stuck`);
  await page.getByLabel('Your comment').fill('The third way out should come first.');
  await page.reload();
  await expect(page.getByLabel('Your comment')).toHaveValue('The third way out should come first.');
  await page.getByRole('link', { name: 'All comments as Markdown' }).click();
  await expect(page.locator('pre')).toContainText(/## \[4\.\d+ Stuck\]\(http.*#\/screen\/stuck\)\s+The third way out should come first\./);
  await expectAccessible(page);
});

test('a screen is shown in the looks that one asks for, and on a phone', async ({ page }) => {
  await page.goto(`${site.address}/index.html#/screen/installing`);
  await expect(page.locator('iframe')).toHaveCount(2);
  await page.getByRole('group', { name: 'Theme' }).getByLabel('Both').check();
  await expect(page.locator('iframe')).toHaveCount(4);
  await expect(page.frameLocator('iframe').nth(2).locator('html')).toHaveClass(/pf-v6-theme-dark/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${site.address}/index.html#/`);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('Slipway’s own server offers them, too', async ({ page }) => {
  await page.goto(`${new URL(process.env.SLIPWAY_URL!).origin}/mockups`);
  await page.getByRole('link', { name: 'A long install', exact: true }).click();
  await expect(page.locator('iframe')).toHaveAttribute('data-ready', 'true');
  await expect(page.frameLocator('iframe').locator('h1').first()).toBeAttached();
});
