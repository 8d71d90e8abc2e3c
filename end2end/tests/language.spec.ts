// The pages in German: for whoever's browser asks for it, and for whoever chooses it.
import { expect, test, tolerate, type Page } from './fixture';
import { chart, ended, expectAccessible, release, snap, submit, unique, url } from './slipway';

const namespace = 'demo';

test.use({ locale: 'de-DE' });

/** Accessible, and nothing beyond its edge with the longer words, on a phone too. */
async function fits(page: Page, title: string) {
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  // A phone opens the page without its side bar.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), title).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await snap(page, `${title}, german`, 'light, on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await snap(page, `${title}, german`, 'light');
}

test.describe('with a release', () => {
  let name = '';

  test.beforeAll(async ({ request }) => {
    name = unique('deutsch');
    const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
    expect(await ended(request, await submit(request, body))).toBe('succeeded');
  });

  test('the list is in German for a browser that asks for it', async ({ page }) => {
    await page.goto(`${url()}/helm/ns/${namespace}/releases`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('heading', { level: 1, name: 'Helm-Releases' })).toBeVisible();
    await expect(page.getByRole('row', { name })).toContainText('Bereitgestellt');
    await fits(page, 'list');
  });

  test('the page of a release is in German', async ({ page }) => {
    await page.goto(release(namespace, name));
    await expect(page.getByTestId('phase')).toHaveText('Bereitgestellt');
    await expect(page.getByRole('button', { name: 'Aktionen' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Ressourcen' }).or(page.getByRole('link', { name: 'Ressourcen' })).first()).toBeVisible();
    await fits(page, 'release');
  });

  test('the tests of a release are in German', async ({ page }) => {
    await page.goto(`${release(namespace, name)}/tests`);
    await expect(page.getByText('Nicht ausgeführt')).toBeVisible();
    await expect(page.getByText('Zu Revision 1')).toBeVisible();
  });

  test('the form is in German, and so is what is wrong with what was given', async ({ page }) => {
    await page.goto(`${url()}/helm/ns/${namespace}/install/samples/web`);
    const field = page.getByRole('textbox', { name: 'Release-Name' });
    await expect(field).toBeVisible();
    await fits(page, 'form');
    await field.fill('Web');
    await page.getByRole('button', { name: 'Erstellen' }).click();
    await expect(page.getByText('Ein Release-Name hat nur Kleinbuchstaben, Ziffern').first()).toBeVisible();
  });
});

test('who has chosen a language has it, whatever the browser asks for', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('slipway.language', 'en'));
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { level: 1, name: 'Helm releases' })).toBeVisible();
});

test('what a language lacks is told in English', async ({ page }) => {
  await page.route('**/words/de.json', (route) => route.fulfill({ json: { pages: {}, server: {} } }));
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('heading', { level: 1, name: 'Helm releases' })).toBeVisible();
});

test('a language that cannot be had leaves the page in English', async ({ page }) => {
  tolerate(page, /words\/de\.json/);
  await page.route('**/words/de.json', (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(`${url()}/helm/all-namespaces/releases`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { level: 1, name: 'Helm releases' })).toBeVisible();
});
