// The selector of the namespace: search, the ones that were visited last, and very many.
import { expect, test } from './fixture';
import { expectAccessible, kept, looks, looksWell, picture, url } from './slipway';

const many = (count: number) => Array.from({ length: count }, (_, at) => `space-${String(at).padStart(4, '0')}`);

for (const [look, options] of [['on a desk', looks[0][1]], ['on a phone', looks[2][1]]] as const) {
  test.describe(look, () => {
    test.use(options);
    test('a namespace is found by its letters, by keyboard alone', async ({ page }) => {
      await page.goto(`${url()}/helm/all-namespaces/releases`);
      const selector = page.getByRole('button', { name: /^Namespace: / });
      await selector.press('Enter');
      await expect(page.getByRole('textbox', { name: 'Find a namespace' })).toBeFocused();
      await expect(page.getByRole('menuitem', { name: 'team-a', exact: true })).toBeVisible();
      await page.keyboard.type('eam-b');
      await expect(page.getByRole('menuitem').first()).toHaveText('team-b');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/helm\/ns\/team-b\/releases/);
      await expect(selector).toHaveText('Namespace: team-b');
      await expect(page.getByRole('textbox', { name: 'Find a namespace' })).toBeHidden();
      await selector.press('Enter');
      await expect(page.getByRole('menuitem', { name: 'team-a', exact: true })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('menuitem').first()).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(selector).toBeFocused();
    });
  });
}

test('the last namespaces are at hand, if they can still be seen', async ({ page }) => {
  await page.addInitScript((key) => localStorage.setItem(key, 'gone,team-a,not valid'), kept('slipway.namespaces'));
  await page.goto(`${url()}/helm/ns/team-b/releases`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const remembered = () => page.evaluate((key) => localStorage.getItem(key), kept('slipway.namespaces'));
  await expect.poll(remembered).toBe('team-b,gone,team-a');
  await page.getByRole('button', { name: /^Namespace: / }).click();
  await expect(page.getByText('Recent')).toBeVisible();
  const items = page.getByRole('menuitem');
  await expect(items.nth(0)).toHaveText('team-b');
  await expect(items.nth(1)).toHaveText('team-a');
  await expect(items.nth(2)).toHaveText('All namespaces');
  await expect(page.getByRole('menuitem', { name: 'gone' })).toHaveCount(0);
});

test('of five thousand namespaces the first are listed, and how to find the others is told', async ({ page }) => {
  await page.route('**/api/ui/namespaces', (route) => route.fulfill({ json: many(5000) }));
  await page.goto(`${url()}/helm/ns/team-b/releases`);
  await page.getByRole('button', { name: /^Namespace: / }).click();
  await expect(page.getByText('4900 more. Type to find them.')).toBeAttached();
  await expectAccessible(page);
  await picture(page, 'namespaces, very many');
  await page.getByRole('textbox', { name: 'Find a namespace' }).fill('space-4321');
  await expect(page.getByRole('menuitem')).toHaveText(['space-4321']);
});

test('what can be no namespace is told, and one that is not listed is doubted', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/Not_a-namespace/releases`);
  await expect(page.getByRole('heading', { name: 'There can be no namespace “Not_a-namespace”' })).toBeVisible();
  await expect(page.getByText('A namespace has only lower-case letters')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'releases of no namespace');
  await page.getByRole('link', { name: 'Show all namespaces' }).click();
  await expect(page).toHaveURL(/all-namespaces/);
  await page.goto(`${url()}/helm/ns/nobody-knows/releases`);
  await expect(page.getByRole('heading', { name: 'No Helm releases found' })).toBeVisible();
  await expect(page.getByText('nobody-knows may not exist, or be mistyped.')).toBeVisible();
  await looksWell(page, 'releases, none');
});
