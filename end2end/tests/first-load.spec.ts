// What a browser transfers before the first page is there. The budget is the product's promise.
import { expect, test } from '@playwright/test';
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
