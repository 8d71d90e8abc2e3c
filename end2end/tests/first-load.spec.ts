// What a browser transfers before the first page is there. The budget is the product's promise.
import { expect, test } from '@playwright/test';
import { url } from './slipway';

/** Bytes on the wire, without fonts. */
const BUDGET = 250_000;

test('the first load is within its budget', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const kinds = new Map<string, string>();
  let total = 0;
  devtools.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (kinds.get(requestId) !== 'Font') total += encodedDataLength;
  });
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  console.log(`first load: ${total} bytes`);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(BUDGET);
});
