// The frame of every page: navigation, the user's menu, paper, and a browser without scripts.
import { expect, test } from './fixture';
import { chart, ended, looksWell, picture, snap, submit, unique, url } from './slipway';

const namespace = 'team-b';

test('the navigation goes with the width of the window', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect(navigation).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(navigation).toBeHidden();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await expect(navigation).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(navigation).toBeHidden();
  await page.getByRole('button', { name: 'Navigation' }).click();
  await navigation.getByRole('link', { name: 'Software Catalog' }).click();
  await expect(navigation).toBeHidden();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(navigation).toBeVisible();
  await expect(navigation.getByRole('link')).toHaveText(['Releases', 'Repositories', 'Software Catalog']);
});

test('the menu of the user has their language, how times are told, and what this is', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  const menu = page.getByRole('button', { name: 'Signed in as admin' });
  await menu.click();
  await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeChecked();
  await looksWell(page, 'menu of the user');
  await page.getByRole('menuitem', { name: 'About Slipway' }).click();
  const about = page.getByRole('dialog', { name: 'About Slipway' });
  await expect(about).toContainText(/Version \d/);
  await looksWell(page, 'about');
  await page.keyboard.press('Escape');
  await expect(about).toBeHidden();
  await menu.click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('times are told exactly for who asks for it, by key and by menu', async ({ page, request }) => {
  const name = unique('timed');
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' });
  expect(await ended(request, id)).toBe('succeeded');
  await page.goto(`${url()}/helm/ns/${namespace}/releases?name=${name}`);
  const time = page.getByRole('row').filter({ hasText: name }).locator('time');
  await expect(time).toHaveText(/ago|Just now/);
  await page.keyboard.press('t');
  await expect(time).toHaveText(/\d{4}/);
  await page.reload();
  await expect(time, 'the choice is kept').toHaveText(/\d{4}/);
  await page.getByRole('button', { name: 'Signed in as admin' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Exact times' }).click();
  await expect(time).toHaveText(/ago|Just now/);
});

test('on paper there is the content alone, in ink on white', async ({ page, request }) => {
  const name = unique('printed');
  const id = await submit(request, { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' });
  expect(await ended(request, id)).toBe('succeeded');
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const tab of ['', '/resources', '/manifest']) {
    await page.goto(`${url()}/helm/ns/${namespace}/release/${name}${tab}`);
    await expect(page.getByTestId('phase')).toHaveText('Deployed');
    await expect(page.locator('[role=status]').filter({ hasText: 'Loading' })).toHaveCount(0);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.locator('html')).not.toHaveClass(/pf-v6-theme-dark/);
    await snap(page, 'on paper', tab.slice(1) || 'details', true);
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveClass(/pf-v6-theme-dark/);
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the page says what it needs', async ({ page }) => {
    await page.goto(`${url()}/helm/all-namespaces/releases`);
    await expect(page.getByRole('heading', { name: 'JavaScript is switched off' })).toBeVisible();
    await expect(page.locator('#app')).toBeHidden();
    await picture(page, 'without scripts');
  });
});
