// States that no flow stops at, looked at in each of the looks: what loads, what is empty, what is away, what is unfolded.
import { expect, test, tolerate, type Page } from './fixture';
import { recorded, row } from './recording';
import { chart, ended, fits, inEachLook, looksWell, release, snap, submit, unique, url } from './slipway';

const namespace = 'team-a';
const at = (path: string) => `${url()}/helm/ns/${namespace}/${path}`;

/** A call that is never answered. */
const hang = (page: Page, call: string) => page.route(`**/api/ui/${call}`, () => new Promise(() => {}));

/** Opens something that a change of the window's width may fold again, in each look anew. */
const unfolded = (page: Page, title: string, open: () => Promise<unknown>) =>
  inEachLook(page, async (look) => {
    await open();
    await fits(page, look, true);
    await snap(page, title, look);
    await page.keyboard.press('Escape');
  });

test('while a page loads its place is kept', async ({ page }) => {
  test.setTimeout(150_000);
  for (const [title, call, path] of [
    ['releases', 'releases', 'releases'],
    ['a release', 'release', 'release/any'],
    ['the catalogue', 'catalogue', 'catalog'],
    ['the repositories', 'repositories', 'repositories'],
    ['a form', 'chart', 'install/samples/web'],
  ]) {
    await hang(page, call);
    await page.goto(at(path));
    await expect(page.locator('[aria-busy=true], .skeleton-lines, [class*=skeleton]').first()).toBeVisible();
    await looksWell(page, `${title} while it loads`);
  }
});

test('what was known stays while the server is away', async ({ page }) => {
  const rows = [row(namespace, 'api'), row(namespace, 'web')];
  const { tell } = await recorded(page, { rows });
  await page.goto(at('releases'));
  await expect(page.getByRole('link', { name: 'web', exact: true })).toBeVisible();
  tolerate(page, /net::ERR_FAILED .*\/api\/ui\//);
  await page.route('**/api/ui/releases', (route) => route.abort());
  // The question that waits is answered; the next one is not.
  tell(rows);
  await expect(page.getByText('Connection to Slipway lost.').first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('link', { name: 'web', exact: true })).toBeVisible();
  await looksWell(page, 'connection lost');
});

test('a cluster without charts and repositories teaches how to have some', async ({ page }) => {
  await page.route('**/api/ui/catalogue', (route) => route.fulfill({ json: { entries: [], repositories: [] } }));
  await page.route('**/api/ui/repositories', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), repositories: [] } });
  });
  await page.goto(at('catalog'));
  await expect(page.getByRole('heading', { name: 'No Helm charts found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add a repository' })).toBeVisible();
  await looksWell(page, 'catalogue, empty');
  await page.goto(at('repositories'));
  await expect(page.getByRole('heading', { name: 'No repositories found' })).toBeVisible();
  await looksWell(page, 'repositories, empty');
});

test('menus and filters are well to look at while they are open', async ({ page }) => {
  test.setTimeout(150_000);
  const rows = [row(namespace, 'api', { phase: { phase: 'failed', kind: null }, status: 'failed' }), row(namespace, 'web')];
  await recorded(page, { rows });
  await page.goto(at('releases'));
  await expect(page.getByRole('link', { name: 'web', exact: true })).toBeVisible();
  const fold = page.getByRole('button', { name: 'Filters and order' });
  for (const filter of ['Status', 'Chart']) {
    const button = page.locator('#filters').getByRole('button', { name: filter });
    await unfolded(page, `filter by ${filter}`, async () => {
      if (!(await button.isVisible())) await fold.click();
      await button.click();
      await expect(page.getByRole('group', { name: filter, exact: true })).toBeVisible();
    });
  }
  const main = page.getByRole('main');
  await unfolded(page, 'menu Create', () => main.getByRole('button', { name: 'Create' }).click());
  await unfolded(page, 'menu of namespaces', () => page.getByRole('button', { name: /^Namespace: / }).click());
  await unfolded(page, 'order of the catalogue', async () => {
    await page.goto(at('catalog'));
    await page.getByRole('button', { name: /^Sort: / }).click();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('the navigation covers the page, and leaves the way back', async ({ page }) => {
    await page.goto(at('releases'));
    for (const [look, colorScheme] of [['light, on a phone', 'light'], ['dark, on a phone', 'dark']] as const) {
      await page.emulateMedia({ colorScheme });
      await page.getByRole('button', { name: 'Navigation' }).click();
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
      await fits(page, look);
      await snap(page, 'navigation', look);
      await page.keyboard.press('Escape');
    }
  });
});

test.describe('with a release', () => {
  let name = '';
  test.beforeAll(async ({ request }) => {
    name = unique('sat-for');
    const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
    expect(await ended(request, await submit(request, body))).toBe('succeeded');
  });

  test('its menu, what it was read from, and where its values can come from', async ({ page }) => {
    test.setTimeout(150_000);
    await page.goto(release(namespace, name));
    await expect(page.getByTestId('phase')).toHaveText('Deployed');
    await unfolded(page, 'actions of a release', () => page.getByRole('button', { name: 'Actions', exact: true }).click());

    await page.goto(at('install/samples/web'));
    await page.getByRole('button', { name: 'View README' }).click();
    await expect(page.getByRole('dialog', { name: 'README' })).toBeVisible();
    await looksWell(page, 'README beside the form');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Use another release’s values' }).click();
    const dialog = page.getByRole('dialog', { name: 'Use another release’s values' });
    await expect(dialog.getByRole('button', { name })).toBeVisible();
    await looksWell(page, 'values of another release');
  });
});
