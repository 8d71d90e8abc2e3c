// States that a test cannot bring about at will (a retry, a queue, a record that is old): the real page and server, with the
// answer about the release changed on its way. How they come about is tested on the server's side.
import { expect, test, type Page } from './fixture';
import { chart, ended, expectAccessible, looksWell, picture, release, submit, unique, url } from './slipway';

const namespace = 'team-a';
const name = unique('states');

test.beforeAll(async ({ request }) => {
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
});

type View = Record<string, any>;

/** Changes each answer about a release. */
async function changed(page: Page, change: (view: View) => void) {
  await page.route('**/api/ui/release', async (route) => {
    const asked = route.request().postDataJSON();
    // Another version is another state: without one the answer comes at once, and then none does.
    if (asked.since) return new Promise(() => {});
    const answer = await route.fetch();
    const view = await answer.json();
    change(view);
    await route.fulfill({ response: answer, json: view });
  });
}

const failure = (cause: string, more: object = {}) => ({
  class: 'transient', cause, advice: 'The same again may succeed.', object: null, text: `Error: ${cause}`, next: [], ...more,
});

const attempt = (number: number, view: View, more: object) => ({
  number, started: view.now - 60_000 + number * 20_000, ended: view.now - 55_000 + number * 20_000, exitCode: 1, revision: number, failure: null, ...more,
});

const states: [title: string, change: (view: View) => void, look: (page: Page) => Promise<void>][] = [
  [
    'retrying',
    (view) => {
      const told = failure('The quota was changed by somebody else at the same moment.');
      view.phase = { phase: 'retrying', kind: 'install', attempt: 2, maxAttempts: 3, next: view.now + 12_000 };
      view.step = 'Waiting before the next attempt';
      view.notice = { tone: 'warning', title: 'Attempt 1 failed. It may pass: it is tried again.', text: '', failure: told };
      Object.assign(view.operation, { state: 'retrying', outcome: null, attempts: [attempt(1, view, { failure: told })] });
      view.actions = [{ action: 'cancel', revision: null, effect: 'Nothing more is tried.', whyNot: null }];
    },
    async (page) => {
      await expect(page.getByTestId('phase')).toHaveText('Installing, attempt 2 of 3');
      const now = page.getByTestId('now');
      await expect(now).toHaveText(/^Installing, attempt 2 of 3, next in \d+ s$/);
      const before = await now.boundingBox();
      const seconds = Number((await now.innerText()).match(/(\d+) s/)![1]);
      await expect(now).toHaveText(new RegExp(`next in ${seconds - 2} s`));
      expect((await now.boundingBox())!.width, 'it does not move').toBe(before!.width);
      await page.getByText('1 attempt').click();
      await expect(page.getByRole('table', { name: 'Attempts' })).toContainText('Transient');
    },
  ],
  [
    'third attempt',
    (view) => {
      const told = failure('The API server answered 503.');
      view.phase = { phase: 'working', kind: 'install', step: 'applying', attempt: 3, maxAttempts: 3 };
      view.step = 'Creating resources';
      const attempts = [1, 2].map((number) => attempt(number, view, { failure: told }));
      attempts.push(attempt(3, view, { ended: null, exitCode: null, revision: null }));
      Object.assign(view.operation, { state: 'running', outcome: null, attempts });
    },
    async (page) => {
      await expect(page.getByTestId('phase')).toHaveText('Installing, attempt 3 of 3');
      await expect(page.getByRole('table', { name: 'Attempts' }).locator('tbody tr')).toHaveCount(3);
      await expect(page.getByRole('row', { name: /Running/ })).toBeVisible();
    },
  ],
  [
    'queued',
    (view) => {
      view.phase = { phase: 'queued', kind: 'upgrade' };
      view.step = '3rd in line';
      Object.assign(view.operation, { kind: 'upgrade', state: 'queued', outcome: null, attempts: [] });
      view.actions = [{ action: 'cancel', revision: null, effect: 'It has not begun.', whyNot: null }];
    },
    async (page) => {
      await expect(page.getByTestId('phase')).toHaveText('Queued');
      await expect(page.getByText('3rd in line')).toBeVisible();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Cancel the operation?' })).toContainText('It has not begun.');
    },
  ],
  [
    'rolling back',
    (view) => {
      view.phase = { phase: 'working', kind: 'rollback', step: 'waiting', attempt: 1, maxAttempts: 1 };
      view.step = 'Waiting for resources to become ready';
      Object.assign(view.operation, { kind: 'rollback', chart: null, state: 'running', outcome: null, attempts: [] });
      const whyNot = 'Helm cannot be stopped cleanly in the middle of this: the release would be left half way. Wait for its end.';
      view.actions = [{ action: 'cancel', revision: null, effect: '', whyNot }];
    },
    async (page) => {
      await page.getByRole('button', { name: 'Cancel', exact: true }).focus();
      const reason = await page.getByRole('tooltip').boundingBox();
      expect(reason!.x, 'the reason is in sight').toBeGreaterThanOrEqual(0);
      expect(reason!.x + reason!.width).toBeLessThanOrEqual(page.viewportSize()!.width);
    },
  ],
  [
    'stuck',
    (view) => {
      view.phase = { phase: 'stuck', status: 'pending-upgrade' };
      view.operation = null;
      view.notice = {
        tone: 'warning',
        title: 'The record has said “pending-upgrade” for longer than a Helm takes',
        text: 'Whether a Helm is still at work somewhere cannot be known from here. If you are sure that there is none, these are the ways out.',
        failure: null,
      };
      const effect = 'Helm makes the cluster what revision 1 says. Nobody can know whether a Helm elsewhere is still at work on it.';
      view.ways = [
        { action: 'rollback', revision: 1, effect, whyNot: null },
        { action: 'markFailed', revision: null, effect, whyNot: null },
        { action: 'uninstall', revision: null, effect, whyNot: null },
      ];
    },
    async (page) => {
      await expect(page.getByTestId('phase')).toHaveText('Stuck');
      for (const way of ['Roll back to revision 1', 'Mark as failed', 'Uninstall']) {
        await page.getByRole('button', { name: way, exact: true }).click();
        await expect(page.getByRole('dialog')).toContainText('Nobody can know');
        await page.keyboard.press('Escape');
        await expect(page.getByRole('button', { name: way, exact: true })).toBeFocused();
      }
    },
  ],
  [
    'failed',
    (view) => {
      const object = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
      const cause = `The Deployment ${name} did not become ready in time.`;
      const next = ['tryAgain', 'seeResources', 'rollback', 'uninstall'].map((action) => ({ action }));
      const told = failure(cause, { class: 'timedOut', advice: 'See which of its pods is not well.', object, next });
      view.phase = { phase: 'failed', kind: 'install' };
      view.notice = { tone: 'danger', title: cause, text: '', failure: told };
      const container = { name: 'web', isInit: false, state: 'waiting: CrashLoopBackOff', exitCode: 3, signal: null, reason: 'CrashLoopBackOff', message: 'back-off restarting failed container', restarts: 4, log: 'connecting to the database\nno such host: db', logMissing: null };
      const pods = [{ name: `${name}-6d4cf56db6-x2x9v`, phase: 'Running', containers: [container] }];
      const reason = `Deployment ${namespace}/${name}: 1 of 2 pods is ready.`;
      const evidence = [{ object, reason, pods, events: ['BackOff: Back-off restarting failed container'] }];
      const attempts = [attempt(1, view, { failure: told, evidence })];
      Object.assign(view.operation, { state: 'failed', attempts });
      view.operation.outcome.failure = told;
      view.actions.push({ action: 'again', revision: null, effect: 'Helm runs the install again.', whyNot: null });
    },
    async (page) => {
      await expect(page.getByTestId('phase')).toHaveText('Failed');
      await expect(page.getByText('Timed out').first()).toBeVisible();
      await expect(page.getByRole('link', { name: `Deployment ${name} in ${namespace}` })).toHaveAttribute('href', /resources\?q=/);
      await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
      await expect(page.getByText('waiting: CrashLoopBackOff, exit code 3, 4 restarts')).toBeVisible();
      await expect(page.getByRole('region', { name: 'The end of the log of web' })).toContainText('no such host: db');
    },
  ],
];

for (const [title, change, look] of states) {
  test(`${title}: told, accessible, and nothing beyond its edge, in each look`, async ({ page }) => {
    await changed(page, change);
    await page.goto(release(namespace, name));
    await look(page);
    await looksWell(page, title, true);
  });
}

test('what the server refuses stays in the dialog', async ({ page }) => {
  await page.route('**/api/ui/submit', (route) =>
    route.fulfill({ status: 409, json: { code: 'conflict', message: 'Something else is at work on it.', operation: null } }),
  );
  await page.goto(`${release(namespace, name)}?action=test`);
  const dialog = page.getByRole('dialog', { name: 'Run the release’s tests?' });
  await dialog.getByRole('button', { name: 'Run tests' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Something else is at work on it.');
  await expectAccessible(page);
  await picture(page, 'refused');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(release(namespace, name));
});

test('an address that asks for what cannot be done opens no dialog and is put right', async ({ page }) => {
  await page.goto(`${release(namespace, name)}?action=cancel`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page).toHaveURL(release(namespace, name));
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the options of the form are kept over a reload, and sent', async ({ page }) => {
  await page.goto(`${url()}/helm/ns/${namespace}/release/${name}/upgrade`);
  const button = page.getByRole('button', { name: 'Upgrade' });
  await expect(button).toBeDisabled();
  await page.getByText('Advanced options').click();
  await page.getByRole('textbox', { name: 'Description' }).fill('made by a test');
  await page.getByRole('checkbox', { name: 'Skip hooks' }).check();
  await page.getByRole('combobox', { name: 'Attempts' }).selectOption('2');
  await page.getByRole('combobox', { name: 'Values of the last revision' }).selectOption('Reuse');
  await expectAccessible(page);
  await picture(page, 'advanced options');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('made by a test');
  await expect(page.getByRole('checkbox', { name: 'Skip hooks' })).toBeChecked();
  const sent = page.waitForRequest('**/api/ui/submit');
  await button.click();
  const { options } = (await sent).postDataJSON().request;
  expect(options).toMatchObject({ description: 'made by a test', skipHooks: true, attempts: 2, values: 'reuse' });
  await expect(page.getByTestId('phase')).toHaveText('Deployed', { timeout: 60_000 });
});
