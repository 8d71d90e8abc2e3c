// The list of releases while it changes: nothing jumps under the pointer or the focus, nothing that was chosen is lost, and
// five thousand rows do not make it slow.
import { expect, test, type Page } from './fixture';
import { url } from './slipway';
import { recorded, row, type Row } from './recording';

const names = (page: Page) => page.locator('tbody .col-name a').allInnerTexts();

test('rows stay where they are under the pointer, and go to their places when it leaves', async ({ page }) => {
  const rows = ['b', 'c', 'd'].map((name) => row('team-a', name));
  const { tell } = await recorded(page, { rows });
  await page.goto(`${url()}/helm/ns/team-a/releases`);
  await expect.poll(() => names(page)).toEqual(['b', 'c', 'd']);
  await page.getByRole('row', { name: /\bc\b/ }).hover();
  tell([row('team-a', 'a'), row('team-a', 'c', { revision: 7 }), row('team-a', 'd')]);
  // What a row says changes at once; which rows there are does not.
  await expect(page.getByRole('row', { name: /\bc\b/ })).toContainText('7');
  await expect(page.getByRole('row', { name: /\bb\b/ })).toContainText('Gone');
  expect(await names(page)).toEqual(['b', 'c', 'd']);
  await expect(page.getByRole('button', { name: '2 changes: update the list' })).toBeVisible();
  await page.getByRole('heading', { name: 'Helm releases' }).hover();
  await expect.poll(() => names(page)).toEqual(['a', 'c', 'd']);
  await expect(page.getByRole('button', { name: /update the list/ })).toBeHidden();
});

test('rows stay where they are while the focus is among them', async ({ page }) => {
  const rows = ['b', 'c'].map((name) => row('team-a', name));
  const { tell } = await recorded(page, { rows });
  await page.goto(`${url()}/helm/ns/team-a/releases`);
  await page.getByRole('button', { name: 'Actions for c' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Upgrade' })).toBeFocused();
  tell([row('team-a', 'a'), ...rows]);
  const update = page.getByRole('button', { name: '1 change: update the list' });
  await expect(update).toBeVisible();
  expect(await names(page)).toEqual(['b', 'c']);
  await expect(page.getByRole('menuitem', { name: 'Upgrade' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Actions for c' })).toBeFocused();
  await update.press('Enter');
  await expect.poll(() => names(page)).toEqual(['a', 'b', 'c']);
});

test('what was chosen stays chosen, and what is gone is not', async ({ page }) => {
  const rows = ['a', 'b', 'c', 'd'].map((name) => row('team-a', name));
  const { tell } = await recorded(page, { rows });
  await page.goto(`${url()}/helm/ns/team-a/releases`);
  await page.getByLabel('Select a', { exact: true }).check();
  await page.getByLabel('Select c').click({ modifiers: ['Shift'] });
  const chosen = page.getByRole('group', { name: 'Selected releases' });
  await expect(chosen).toContainText('3 selected');
  await page.getByRole('heading', { name: 'Helm releases' }).hover();
  tell([row('team-a', 'a', { revision: 2 }), row('team-a', 'c'), row('team-a', 'd')]);
  await expect(chosen).toContainText('2 selected');
  await expect(page.getByLabel('Select a', { exact: true })).toBeChecked();
  await expect(page.getByLabel('Select d')).not.toBeChecked();
  await page.getByLabel('Select all on this page').check();
  await expect(chosen).toContainText('3 selected');
  await chosen.getByRole('button', { name: 'Clear the selection' }).click();
  await expect(chosen).toBeHidden();
  await page.getByLabel('Select d').press('Space');
  await expect(chosen).toContainText('1 selected');
});

test('all that the filters let through can be chosen, on all pages', async ({ page }) => {
  const rows = Array.from({ length: 120 }, (_, at) => row('team-a', `${at % 2 ? 'odd' : 'even'}-${at}`));
  await recorded(page, { rows });
  await page.goto(`${url()}/helm/ns/team-a/releases?name=odd&per-page=20`);
  await page.getByLabel('Select all on this page').check();
  const chosen = page.getByRole('group', { name: 'Selected releases' });
  await expect(chosen).toContainText('20 selected');
  await chosen.getByRole('button', { name: 'Select all 60' }).click();
  await expect(chosen).toContainText('60 selected');
  await page.getByRole('button', { name: 'Next page' }).first().click();
  await expect(page.getByLabel('Select all on this page')).toBeChecked();
});

/** What one press of a key may make of rows: as many as are in sight, and some below; however many the page has. */
const ROWS_MAX = 90;
/** The most that one task may take, in milliseconds, on a machine that runs all the tests at once. */
const PATIENCE = 500;

test.describe('five thousand releases', () => {
  // What is recorded for a trace would be measured, too.
  test.use({ trace: 'off', screenshot: 'off' });

  test('are filtered, sorted, scrolled and followed without a halt', async ({ page }) => {
    const statuses = ['deployed', 'deployed', 'deployed', 'failed', 'superseded'];
    const make = (at: number): Row => {
      const status = statuses[at % 5];
      const phase = status === 'failed' ? { phase: status, kind: null } : { phase: status };
      return row(`team-${at % 50}`, `app-${String(at).padStart(4, '0')}`, { phase, status, chart: `chart-${at % 97}`, version: `1.${at % 20}.${at % 7}` });
    };
    const rows = Array.from({ length: 5000 }, (_, at) => make(at));
    const { tell } = await recorded(page, { rows });
    await page.addInitScript(() => {
      const seen = ((window as any).seen = { longest: 0, made: 0 });
      new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (seen.longest = Math.max(seen.longest, Math.round(duration))))).observe({ type: 'longtask' });
      const count = (node: Node) => (node instanceof Element ? Number(node.matches('tr.pf-v6-c-table__tr')) + node.querySelectorAll('tr.pf-v6-c-table__tr').length : 0);
      new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => (seen.made += count(node))))).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${url()}/helm/all-namespaces/releases?per-page=200`);
    const there = page.locator('tbody tr');
    const list = page.getByRole('table', { name: 'Helm releases' });
    await expect(list).toHaveAttribute('aria-rowcount', '201');
    await expect(page.getByRole('link', { name: 'app-0020' })).toBeVisible();
    /** What it takes while `act` is done: the longest task, and the rows that are made. */
    const measure = async (what: string, most: number, act: () => Promise<void>) => {
      await page.evaluate(() => Object.assign((window as any).seen, { longest: 0, made: 0 }));
      await act();
      const { longest, made } = await page.evaluate(() => (window as any).seen);
      console.log(`${what}: ${made} rows made, longest task ${longest} ms`);
      test.info().annotations.push({ type: 'longest task', description: `${what}: ${longest} ms, ${made} rows` });
      expect(made, what).toBeLessThanOrEqual(most);
      expect(longest, what).toBeLessThan(PATIENCE);
    };
    await measure('a key', 2 * ROWS_MAX, async () => {
      await page.getByRole('textbox', { name: 'Filter by name' }).pressSequentially('12', { delay: 50 });
      await expect(page.getByRole('link', { name: 'app-0012' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'app-0001' })).toBeHidden();
    });
    await measure('clearing', ROWS_MAX, async () => {
      await page.getByRole('button', { name: 'Clear all filters' }).click();
      await expect(page.getByRole('link', { name: 'app-0020' })).toBeVisible();
    });
    await measure('sorting', ROWS_MAX, async () => {
      await page.getByRole('columnheader', { name: 'Chart version' }).getByRole('button').click();
      await expect(there.first()).toContainText('1.0.0');
    });
    await page.getByRole('columnheader', { name: 'Name', exact: true }).getByRole('button').click();
    await expect(there.first()).toContainText('app-0000');
    await measure('scrolling', 200, async () => {
      await page.mouse.move(700, 600);
      await expect(async () => {
        await page.mouse.wheel(0, 1000);
        await expect(page.getByRole('link', { name: 'app-0199' })).toBeInViewport({ timeout: 200 });
      }).toPass();
      await expect(there, 'what was in sight stays').toHaveCount(200);
    });
    await page.getByRole('heading', { level: 1 }).hover();
    await measure('following', 2 * ROWS_MAX, async () => {
      tell([row('team-0', 'aaa'), ...rows]);
      await expect(page.getByRole('row', { name: /aaa/ })).toBeAttached();
    });
  });
});
