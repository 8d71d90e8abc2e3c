// What a browser transfers before the first page is there. The budget is the product's promise.
import { expect, test, tolerate } from './fixture';
import { url } from './slipway';

/** Bytes of the page itself as they are sent: compressed, without headers, fonts and the answers of the API. */
const BUDGET = 350_000;

test('the first load is within its budget', async ({ page }) => {
  const sizes: Record<string, number> = {};
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    if (path.includes('/api/') || path.endsWith('.woff2')) return;
    sizes[path] = Number(response.headers()['content-length']);
  });
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  console.log(`first load: ${total} bytes`, sizes);
  expect(total, 'all of it was counted').toBeGreaterThan(100_000);
  expect(total).toBeLessThan(BUDGET);
});

test('a part of the page that cannot be had says so, and is asked for again', async ({ page }) => {
  tolerate(page, /parts\/catalogue-|Failed to fetch/);
  await page.route('**/parts/catalogue-*.bin', (route) => route.abort());
  await page.goto(`${url()}/helm/all-namespaces/catalog`);
  await expect(page.getByText('This part of Slipway’s page could not be loaded.')).toBeVisible();
  await page.unroute('**/parts/catalogue-*.bin');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Helm Charts' })).toBeVisible();
});
