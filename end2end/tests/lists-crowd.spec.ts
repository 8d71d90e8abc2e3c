// The list of releases when there are thousands: what it takes to draw does not depend on how many there are.
import { expect, test } from './fixture';
import { url } from './slipway';
import { recorded, row, type Row } from './recording';

/** What one press of a key may make of rows: as many as are in sight, and some below; however many the page has. */
const ROWS_MAX = 90;
/** The most that one task may take, in milliseconds, on a machine that runs all the tests at once. */
const PATIENCE = 500;

// What is recorded for a trace would be measured, too.
test.use({ trace: 'off', screenshot: 'off' });

test('five thousand releases are filtered, sorted, scrolled and followed without a halt', async ({ page }) => {
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
