// On paper: the lists and the form, like a release's tabs (chrome-frame.spec.ts), are their content alone, in ink on white.
import { expect, test } from './fixture';
import { recorded, row } from './recording';
import { snap, url } from './slipway';

test('the list, the catalogue and the form are printed without what only a screen can use', async ({ page }) => {
  await recorded(page, { rows: [row('team-a', 'api'), row('team-b', 'web')] });
  for (const [title, path, content] of [
    ['list', 'all-namespaces/releases', 'Helm releases'],
    ['catalogue', 'ns/demo/catalog', 'Helm Charts'],
    ['form', 'ns/demo/install/samples/web', 'Create Helm release'],
  ]) {
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.goto(`${url()}/helm/${path}`);
    await expect(page.locator('[aria-busy=true], .skeleton-lines')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: content })).toBeVisible();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('heading', { level: 1, name: content })).toBeVisible();
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    await expect(page.locator('html')).not.toHaveClass(/pf-v6-theme-dark/);
    await snap(page, 'on paper', title, true);
  }
});
