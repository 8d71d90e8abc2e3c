// The pages of charts and repositories on a phone.
import { expect, test } from './fixture';
import { expectAccessible, url } from './slipway';

test.use({ viewport: { width: 390, height: 844 } });

test('the catalogue, a chart, and the repositories are usable on a phone', async ({ page }) => {
  const pages: [title: string, path: string][] = [
    ['catalogue', 'catalog'],
    ['chart', 'catalog/samples/web?tab=versions'],
    ['repositories', 'repositories'],
    ['repository form', 'repositories/add'],
    ['elsewhere', 'elsewhere?from=file'],
  ];
  for (const [title, path] of pages) {
    await page.goto(`${url()}/helm/ns/demo/${path}`);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page.locator('[aria-busy=true], .skeleton-lines')).toHaveCount(0);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), title).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `results/screens/${title} at 390.png`.replaceAll(' ', '-'), fullPage: true });
  }
  await page.goto(`${url()}/helm/ns/demo/catalog`);
  const keyword = page.getByRole('group', { name: 'Keywords' });
  await expect(keyword).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(keyword).toBeVisible();
  await page.getByRole('button', { name: 'Create' }).click();
  const menu = await page.getByRole('menu').boundingBox();
  expect(menu!.x, 'the menu is in sight').toBeGreaterThanOrEqual(0);
  expect(menu!.x + menu!.width).toBeLessThanOrEqual(390);
});
