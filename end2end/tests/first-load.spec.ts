// What a browser transfers before the first page is there. The budget is the product's promise.
import { expect, test, tolerate, type Page } from './fixture';
import { url } from './slipway';

/** Bytes of the page itself as they are sent: compressed, without headers, fonts and the answers of the API. */
const BUDGET = 350_000;

/** Whoever saves data is sent what they ask for, and nothing ahead of it. */
const saveData = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));

/** The parts of the program that are asked for from now on, by their names. */
function partsOf(page: Page) {
  const parts: string[] = [];
  page.on('request', (request) => {
    const found = /\/parts\/(\w+)-/.exec(request.url());
    if (found) parts.push(found[1]);
  });
  return parts;
}

test('the first load is within its budget', async ({ page }) => {
  await saveData(page);
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

test('what is likely to be looked at next is fetched when the page is idle, and a click waits for none of it', async ({ page }) => {
  const parts = partsOf(page);
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect.poll(() => [...parts].sort()).toEqual(['catalogue', 'release', 'sheets']);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Software Catalog' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Helm Charts' })).toBeVisible();
  await expect.poll(() => parts.slice(3), { message: 'the catalogue leads to the form' }).toEqual(['form']);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(parts, 'each part once').toHaveLength(4);
});

test('who saves data is sent a part when it is needed', async ({ page }) => {
  await saveData(page);
  const parts = partsOf(page);
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect(page.getByRole('button', { name: /^Operations/ })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Software Catalog' }).hover();
  await page.getByRole('button', { name: /^Operations/ }).click();
  await expect(page.getByRole('complementary', { name: 'Operations' })).toBeVisible();
  expect(parts).toEqual(['sheets']);
});
