// What goes on in the background is seen from every page, and its end is told there.
import { expect, test, tolerate, type Page } from './fixture';
import { chart, ended, kept, looksWell, submit, unique, url } from './slipway';

const namespace = 'team-a';

/** The drawer's button, whatever it counts. */
const bell = (page: Page) => page.getByRole('button', { name: /^Operations/ });
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Operations' });
const toasts = (page: Page) => page.getByRole('list', { name: 'Notifications' });

/** Lets the page wait for the end of an operation as for one that it has submitted itself. */
const awaitIn = (page: Page, id: string) => page.evaluate(([key, id]) => localStorage.setItem(key, id), [kept('slipway.awaited'), id]);

test('an install is followed from another page, and its end is told there', async ({ page }) => {
  test.setTimeout(180_000);
  const name = unique('followed');
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/web`);
  await page.getByRole('textbox', { name: 'Release name' }).fill(name);
  await page.getByRole('textbox', { name: 'Values' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('replicas: 1\nstartup:\n  seconds: 12\n');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}`));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Software Catalog' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await expect(bell(page)).toHaveAccessibleName(/\d+ running/);
  await bell(page).press('Enter');
  await expect(drawer(page).getByRole('heading', { level: 2, name: 'Operations' })).toBeFocused();
  const item = drawer(page).getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  await expect(item).toContainText('Installing');
  await expect(item).toContainText(namespace);
  await expect(item).toContainText(/for \d+s/);
  await expect(item.getByRole('link', { name: `Cancel: ${name}` })).toHaveAttribute('href', /\?action=cancel$/);

  const toast = toasts(page).getByRole('listitem').filter({ hasText: `${name}: Installed` });
  await expect(toast).toBeVisible({ timeout: 90_000 });
  await expect(item).toContainText('Installed');
  await expect(item).toContainText(/took \d+s/);
  await expect(toast, 'a success goes by itself').toBeHidden({ timeout: 30_000 });

  await page.keyboard.press('Escape');
  await expect(drawer(page)).toBeHidden();
  await expect(bell(page)).toBeFocused();
});

test('the end of what the page in view shows is not told twice', async ({ page, request }) => {
  const name = unique('in-view');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  const id = await submit(request, body);
  await page.goto(`${url()}/helm/ns/${namespace}/release/${name}`);
  await awaitIn(page, id);
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), kept('slipway.awaited')), { timeout: 45_000 }).toBeNull();
  await expect(toasts(page).getByRole('listitem')).toHaveCount(0);
});

test('a failure says why, leads to the release, and stays until it is closed', async ({ page, request }) => {
  test.setTimeout(150_000);
  const name = unique('missed');
  // A chart that there is, in a version that there is not.
  const missing = { repository: 'samples', name: 'web', version: '9.9.9' };
  const id = await submit(request, { kind: 'install', namespace, name, chart: missing, options: { attempts: 1 } });
  expect(await ended(request, id)).toBe('failed');
  // It ended while the page was not there.
  await page.addInitScript(([key, id]) => {
    if (!sessionStorage.getItem('submitted')) localStorage.setItem(key, id);
    sessionStorage.setItem('submitted', 'yes');
  }, [kept('slipway.awaited'), id]);
  await page.goto(`${url()}/helm/ns/${namespace}/catalog`);
  const toast = toasts(page).getByRole('listitem').filter({ hasText: `${name}: Install failed` });
  await expect(toast).toBeVisible({ timeout: 45_000 });
  const { outcome } = await (await request.get(`${url()}/api/v1/operations/${id}`)).json();
  await expect(toast).toContainText(outcome.failure.cause);
  await looksWell(page, 'toast of a failure');
  // Longer than a success would stay, by the clock that the toasts grow old by.
  await page.waitForFunction((until) => Date.now() > until, Date.now() + 10_000);
  await expect(toast).toBeVisible();
  // Nobody has read it: it is told again, also in another window.
  await page.reload();
  await expect(toast).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`${url()}/helm/ns/${namespace}/releases`);
  const there = toasts(other).getByRole('listitem').filter({ hasText: `${name}: Install failed` });
  await expect(there).toBeVisible();
  await toast.getByRole('link', { name: 'View release' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}$`));
  await expect(toast).toBeHidden();
  await expect(there, 'what is read in one window is read in the other').toBeHidden();
  await other.reload();
  await expect(bell(other)).toHaveAccessibleName(/ended since you looked/);
  await expect(there, 'what was read is not told again').toBeHidden();
});

/** What the server could say, each state of an operation once. */
async function staged(page: Page) {
  const now = Date.now();
  const doing = (id: string, kind: string, state: string, more: object = {}) => ({
    id,
    kind,
    release: { namespace: 'team-a', name: `${id}-shop` },
    state,
    requestedBy: 'admin',
    created: now - 95_000,
    ended: ['queued', 'running', 'retrying'].includes(state) ? null : now - 40_000,
    attempt: 1,
    maxAttempts: 3,
    line: '',
    canCancel: false,
    ...more,
  });
  const cause = 'The Deployment failed-shop-with-a-long-name did not become ready in time. 1 of 3 pods is ready, and one cannot fetch its image.';
  const doings = [
    doing('queued', 'upgrade', 'queued', { attempt: 0, line: '3rd in line', canCancel: true }),
    doing('running', 'install', 'running', { line: 'Creating resources and waiting for them', canCancel: true, requestedBy: 'grace' }),
    doing('retrying', 'install', 'retrying', { line: 'Waiting before the next attempt', canCancel: true }),
    doing('well', 'upgrade', 'succeeded'),
    doing('failed', 'install', 'failed', { line: cause }),
    doing('lost', 'rollback', 'interrupted', { line: 'Its runner stopped renewing its Lease.' }),
    doing('stopped', 'uninstall', 'cancelled', { requestedBy: 'grace' }),
  ];
  await page.route('**/api/ui/activity', (route) => route.fulfill({ json: { version: 'v', now, doings, more: 2 } }));
}

test('the drawer tells each state with its icon, and who asked for it', async ({ page }) => {
  await staged(page);
  await page.addInitScript((key) => localStorage.setItem(key, '1'), kept('slipway.seen'));
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await expect(bell(page)).toHaveAccessibleName('Operations, 5 running, 3 ended since you looked');
  await bell(page).click();
  await expect(drawer(page)).toMatchAriaSnapshot(`
    - complementary "Operations":
      - heading "Operations" [level=2]
      - text: 5 running
      - button "Close"
      - region "Running":
        - heading "Running" [level=3]
        - list:
          - listitem:
            - heading "queued-shop" [level=4]
            - 'link "Cancel: queued-shop"'
            - paragraph: Upgrade queued
            - paragraph: 3rd in line
          - listitem:
            - heading "running-shop" [level=4]
            - paragraph: Installing
            - text: /by grace/
          - listitem:
            - paragraph: Installing
            - paragraph: /Attempt 2 of 3/
      - paragraph: 2 more are running.
      - region "Ended lately":
        - list:
          - listitem:
            - paragraph: Upgraded
          - listitem:
            - paragraph: Install failed
          - listitem:
            - paragraph: Rollback interrupted
          - listitem:
            - paragraph: Uninstall cancelled
  `);
  await expect(bell(page), 'they are seen now').toHaveAccessibleName('Operations, 5 running');
  await looksWell(page, 'drawer of operations');
});

test('nothing yet, and no answer, are told as such', async ({ page }) => {
  await page.route('**/api/ui/activity', (route) => route.fulfill({ json: { version: 'v', now: Date.now(), doings: [], more: 0 } }));
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await bell(page).click();
  await expect(drawer(page)).toContainText('No operations yet');
  await page.unroute('**/api/ui/activity');
  tolerate(page, /net::ERR_FAILED .*\/activity/);
  await page.route('**/api/ui/activity', (route) => route.abort());
  await expect(drawer(page).getByRole('status')).toContainText('What is shown may be old', { timeout: 30_000 });
  await page.reload();
  await bell(page).click();
  await expect(drawer(page).getByRole('button', { name: 'Try again' })).toBeVisible();
});

test.describe('browser notifications', () => {
  test.use({ permissions: ['notifications'] });
  test('the end of an operation is told by the system while nobody sees the page', async ({ page, request }) => {
    test.setTimeout(120_000);
    const shown: { title: string; body: string }[] = [];
    await page.exposeFunction('told', (title: string, body: string) => shown.push({ title, body }));
    await page.addInitScript(() => {
      const Real = Notification;
      const Told = class extends Real {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          (window as unknown as { told: (title: string, body?: string) => void }).told(title, options?.body);
        }
      };
      Object.defineProperty(window, 'Notification', { value: Told });
    });
    await page.goto(`${url()}/helm/ns/${namespace}/releases`);
    await bell(page).click();
    const choice = drawer(page).getByRole('checkbox', { name: 'Browser notifications' });
    await choice.check();
    await expect(choice).toBeChecked();
    await page.reload();
    await bell(page).click();
    await expect(choice, 'the choice is kept').toBeChecked();

    const name = unique('away');
    const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
    await awaitIn(page, await submit(request, body));
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => shown, { timeout: 60_000 }).toEqual([{ title: 'Installed', body: `${namespace}/${name}\n` }]);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect(toasts(page), 'who comes back is told, too').toContainText(`${name}: Installed`);
  });
});

test('notifications that the browser forbids are explained', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }));
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await bell(page).click();
  await expect(drawer(page)).toContainText('The browser forbids notifications of this page.');
});
