// A release looked into: its resources, one object closely with its events, its log and its YAML, the picture, the timeline.
import { expect, test, type Page } from './fixture';
import { chart, ended, looksWell, release, submit, unique } from './slipway';

const namespace = 'demo';
let name: string;

test.beforeAll(async ({ request }) => {
  test.setTimeout(120_000);
  name = unique('seen');
  const web = await chart(request, 'web');
  expect(await ended(request, await submit(request, { kind: 'install', namespace, name, chart: web, values: 'replicas: 2\n' }))).toBe(
    'succeeded',
  );
});

const object = (kind: string, of: string) => `object=${encodeURIComponent(`${kind}/${namespace}/${of}`)}`;
const panel = (page: Page) => page.getByRole('dialog', { name });

test('resources are grouped, filtered and opened in a panel, and the address has all of it', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/resources`);
  const table = page.getByRole('table', { name: 'Resources' });
  await expect(table.getByRole('row', { name: new RegExp(`D ${name} Deployment ${namespace} Ready 2 of 2 replicas ready|${name} Deployment`) })).toBeVisible();
  await page.getByRole('button', { name: 'By type' }).click();
  await expect(page).toHaveURL(/view=kind/);
  await expect(table.getByRole('rowheader', { name: /^Deployment/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Filter by name, type or chart' }).fill('deployment');
  await expect(page.getByText(/^1 of \d resources, \d of \d hooks$/)).toBeVisible();
  await page.reload();
  await table.getByRole('link', { name, exact: true }).click();
  await expect(panel(page)).toContainText('2 of 2 replicas ready');
  await expect(panel(page).getByRole('list', { name: 'Containers' })).toHaveCount(2);
  const conditions = panel(page).getByRole('table', { name: 'Conditions' });
  await expect(conditions.getByRole('row', { name: /^Available True .* MinimumReplicasAvailable / })).toBeVisible();
  await looksWell(page, 'object');
  await test.step('it has events', async () => {
    await panel(page).getByRole('button', { name: 'Events' }).click();
    await expect(panel(page).getByRole('list', { name: 'Events' })).toContainText('ScalingReplicaSet');
    await looksWell(page, 'object events');
  });
  await test.step('and YAML without its managed fields', async () => {
    await panel(page).getByRole('button', { name: 'YAML' }).click();
    const yaml = panel(page).getByRole('region', { name: 'YAML' });
    await expect(yaml).toContainText('kind: Deployment');
    await expect(yaml).not.toContainText('managedFields');
    await page.reload();
    await expect(yaml).toContainText('kind: Deployment');
    await looksWell(page, 'object yaml');
  });
  await test.step('it leads to its pods, and Escape closes it', async () => {
    await panel(page).getByRole('button', { name: 'Details' }).click();
    await panel(page).getByRole('link', { name: new RegExp(`^${name}-`) }).first().click();
    const pod = page.getByRole('dialog', { name: new RegExp(`^${name}-`) });
    await expect(pod.getByText('Belongs to')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page).not.toHaveURL(/object=/);
  });
});

test('resources are sorted by a column, which the address has, and on a phone by a menu', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/resources`);
  const table = page.getByRole('table', { name: 'Resources' });
  const head = (title: string) => table.getByRole('columnheader', { name: title, exact: true });
  const kinds = async () => table.locator('td[data-label="Type"]').allTextContents();
  await expect(head('Name')).toHaveAttribute('aria-sort', 'ascending');
  await head('Type').getByRole('button').press('Enter');
  await expect(page).toHaveURL(/sort=type/);
  await expect(head('Type')).toHaveAttribute('aria-sort', 'ascending');
  const ascending = await kinds();
  expect(ascending).toEqual([...ascending].sort());
  await head('Type').getByRole('button').press('Enter');
  await expect(page).toHaveURL(/sort=type&dir=desc/);
  await expect.poll(kinds).toEqual([...ascending].reverse());
  await page.getByRole('button', { name: 'By type' }).click();
  await expect(table.getByRole('rowheader').first(), 'the kinds stay in their order').toContainText(ascending[0]);
  await page.reload();
  await expect(head('Type')).toHaveAttribute('aria-sort', 'descending');
  await looksWell(page, 'resources sorted');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /Order\s*Type/ }).click();
  await page.getByRole('menuitemradio', { name: 'Created' }).click();
  await expect(page).toHaveURL(/sort=created/);
});

test('an object that may not be read says so, and its neighbours are there', async ({ page }) => {
  const message = 'You may not get deployments in demo.';
  await page.route('**/api/ui/object', (route) => route.fulfill({ status: 403, json: { code: 'forbidden', message } }));
  await page.goto(`${release(namespace, name)}/resources?${object('apps/v1/Deployment', name)}`);
  await expect(panel(page).getByText(message)).toBeVisible();
  await looksWell(page, 'object forbidden');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Resources' })).toContainText('2 of 2 replicas ready');
});

test('an object that is not there is told so', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/resources?${object('v1/ConfigMap', 'nothing-here')}`);
  const dialog = page.getByRole('dialog', { name: 'nothing-here' });
  await expect(dialog.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await page.goto(`${release(namespace, name)}/resources?${object('example.org/v1/Gadget', 'x')}`);
  await expect(page.getByRole('dialog').getByText(/kind Gadget/)).toBeVisible();
});

// The pods of the simulated node say nothing: the stream is what a real one sent, so that its colours are known.
test('a log is followed, coloured, searched, and says how it ended', async ({ page }) => {
  const line = (text: string, at: number) => `id: 2026-01-01T00:00:${String(at).padStart(2, '0')}Z\ndata: ${text}\n\n`;
  const many = Array.from({ length: 300 }, (_, at) => line(`request ${at} answered`, 3)).join('');
  await page.route(/\/pods\/[^/]+\/log\?/, (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body:
        line('\u001b[32mINFO\u001b[0m started <b>', 1) +
        line('\u001b[1;31mERROR\u001b[0m the database is away', 2) +
        many +
        line('ERROR again', 4) +
        'event: end\ndata: The container has ended.\n\n',
    }),
  );
  await page.goto(`${release(namespace, name)}/resources?${object('apps/v1/Deployment', name)}&look=logs`);
  const log = panel(page).getByRole('log');
  await expect(log).toContainText('started <b>');
  await expect(log.locator('.ansi-red').first()).toHaveText('ERROR');
  await expect(panel(page).getByText('The container has ended.')).toBeVisible();
  // It is at its end, and stays where the reader scrolls to.
  await expect(log.getByText('ERROR again')).toBeInViewport();
  const find = panel(page).getByRole('textbox', { name: 'Find in the log' });
  await find.fill('error');
  await expect(panel(page).getByText('1 of 2', { exact: true })).toBeVisible();
  await expect(log.getByText('the database is away')).toBeInViewport();
  await find.press('Enter');
  await expect(panel(page).getByText('2 of 2', { exact: true })).toBeVisible();
  await expect(log.getByText('ERROR again')).toBeInViewport();
  await find.press('Shift+Enter');
  await expect(panel(page).getByText('1 of 2', { exact: true })).toBeVisible();
  await expect(panel(page).getByRole('link', { name: 'Download' })).toHaveAttribute('href', /\/log\?podNamespace=demo&container=main$/);
  await looksWell(page, 'object log');
});

test('which log is read, and what is looked for in it, is in the address', async ({ page }) => {
  await page.route('**/api/ui/pods', async (route) => {
    const answer = await route.fetch();
    const list = await answer.json();
    for (const pod of list.pods) pod.containers[0].hasPrevious = true;
    await route.fulfill({ response: answer, json: list });
  });
  const asked: string[] = [];
  await page.route(/\/pods\/[^/]+\/log\?/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/event-stream', body: 'event: end\ndata: The container has ended.\n\n' });
  });
  await page.goto(`${release(namespace, name)}/resources?${object('apps/v1/Deployment', name)}&look=logs`);
  await panel(page).getByRole('checkbox', { name: 'Previous run' }).check();
  await expect(page).toHaveURL(/previous=true/);
  await panel(page).getByRole('checkbox', { name: 'Timestamps' }).check();
  await expect(page).toHaveURL(/times=true/);
  await panel(page).getByRole('textbox', { name: 'Find in the log' }).fill('error');
  await expect(page).toHaveURL(/find=error/);
  await page.reload();
  await expect(panel(page).getByRole('checkbox', { name: 'Previous run' })).toBeChecked();
  await expect(panel(page).getByRole('checkbox', { name: 'Timestamps' })).toBeChecked();
  await expect(panel(page).getByRole('textbox', { name: 'Find in the log' })).toHaveValue('error');
  await expect.poll(() => asked.at(-1)).toMatch(/previous=true&timestamps=true/);
  const other = panel(page).getByRole('combobox', { name: 'Pod' });
  await other.selectOption({ index: 1 });
  await expect(page, 'another pod has another run before').not.toHaveURL(/previous=/);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/resources$/);
});

test('a log that is refused says why, and can be asked for again', async ({ page }) => {
  await page.route(/\/pods\/[^/]+\/log\?/, (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: 'Not allowed', status: 403, detail: 'You may not get pods/log in demo.' }),
    }),
  );
  await page.goto(`${release(namespace, name)}/resources?${object('apps/v1/Deployment', name)}&look=logs`);
  await expect(panel(page).getByText('You may not get pods/log in demo.')).toBeVisible();
  await expect(panel(page).getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('the picture is walked through by keyboard, moved, and read as a list', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/topology`);
  const frame = page.getByRole('group', { name: 'Picture of the resources' });
  const node = (kind: string) => frame.getByRole('link', { name: new RegExp(`^${kind} ${name}:`) });
  await expect(node('Deployment')).toHaveAccessibleName(/2 of 2 pods ready/);
  await looksWell(page, 'topology');
  await test.step('arrows lead from one to the next, and Enter opens it', async () => {
    await node('Service').focus();
    await page.keyboard.press('ArrowRight');
    await expect(node('Deployment')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(panel(page)).toContainText('2 of 2 replicas ready');
    await page.keyboard.press('Escape');
    await expect(panel(page)).toHaveCount(0);
  });
  await test.step('it is made larger by key and wheel, and dragged without opening anything', async () => {
    const width = async () => (await node('Deployment').boundingBox())!.width;
    const before = await width();
    await frame.focus();
    await page.keyboard.press('+');
    await expect.poll(width).toBeGreaterThan(before);
    await page.keyboard.press('0');
    // The frame of what has the focus is part of its box.
    await expect.poll(width).toBeLessThan(before + 3);
    const { x, y } = (await node('Deployment').boundingBox())!;
    await page.mouse.move(x + 20, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 50, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await node('Deployment').boundingBox())!.x).toBeGreaterThan(x + 20);
    await expect(page).not.toHaveURL(/object=/);
    await page.mouse.wheel(0, -300);
    await expect.poll(width).toBeGreaterThan(before);
  });
  await test.step('a window of another size shows all of it anew, unless somebody has moved it', async () => {
    const width = async () => (await node('Deployment').boundingBox())!.width;
    const own = await width();
    const before = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(width, 'what a user chose stays').toBeGreaterThan(own - 3);
    await page.reload();
    await expect(node('Deployment')).toBeVisible();
    const isInFrame = async () => {
      const all = (await frame.boundingBox())!;
      const nodes = await frame.getByRole('link').all();
      const boxes = await Promise.all(nodes.map(async (one) => (await one.boundingBox())!));
      return boxes.every((it) => it.x >= all.x && it.x + it.width <= all.x + all.width && it.y >= all.y);
    };
    const narrow = await width();
    await page.setViewportSize(before);
    await expect.poll(width, 'there is more room').toBeGreaterThan(narrow + 3);
    expect(await isInFrame()).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(width).toBeLessThan(narrow + 3);
    await page.setViewportSize(before);
  });
  await page.getByRole('button', { name: 'List' }).click();
  const list = page.getByRole('table', { name: 'Resources and their relations' });
  await expect(list).toContainText(`Selects Deployment ${name}`);
  await looksWell(page, 'topology list');
});

test('the timeline tells what took how long', async ({ page }) => {
  await page.goto(`${release(namespace, name)}/timeline`);
  const timeline = page.getByRole('table', { name: 'Timeline' });
  await expect(timeline.getByRole('row', { name: /Attempt 1/ })).toContainText(/\ds$/);
  await expect(timeline.getByRole('row', { name: new RegExp(`Deployment ${name}`) })).toBeVisible();
  await expect(page.getByText(/took longest/)).toBeVisible();
  await looksWell(page, 'timeline');
  await timeline.getByRole('link', { name: `Deployment ${name}` }).click();
  await expect(panel(page)).toContainText('2 of 2 replicas ready');
});

test('the timeline moves while something goes on', async ({ page, request }) => {
  const slow = unique('slow');
  const web = await chart(request, 'web');
  await submit(request, { kind: 'install', namespace, name: slow, chart: web, values: 'startup: {seconds: 8}\n' });
  await page.goto(`${release(namespace, slow)}/timeline`);
  const row = page.getByRole('table', { name: 'Timeline' }).getByRole('row', { name: new RegExp(`Deployment ${slow}`) });
  await expect(row).toContainText('so far', { timeout: 30_000 });
  await expect(row).toContainText(/[5-9]s so far/, { timeout: 30_000 });
  await expect(row).toContainText(/\ds$/, { timeout: 60_000 });
});
