// A session that ends takes nothing away.
import { expect, test, tolerate } from './fixture';
import { looksWell, unique, url } from './slipway';

const namespace = 'demo';

test('what is typed outlives the session, and is sent once', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('outlives');
  let isOut = false;
  const keys: string[] = [];
  await page.route('**/api/ui/**', async (route) => {
    if (route.request().url().endsWith('/submit')) keys.push(route.request().postDataJSON().request.idempotencyKey);
    // As a proxy before Slipway answers: not in Slipway's own words.
    await (isOut ? route.fulfill({ status: 401, contentType: 'text/html', body: '<h1>Sign in</h1>' }) : route.continue());
  });
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/web`);
  const field = page.getByRole('textbox', { name: 'Release name' });
  await field.fill(name.slice(0, 4));
  isOut = true;
  await field.pressSequentially(name.slice(4));
  await page.getByRole('textbox', { name: 'Values' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('replicas: 1\n# typed\n');
  await page.getByRole('button', { name: 'Create' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'What you typed and what you see here stays.' });
  await expect(notice).toBeVisible();
  await expect(notice.getByRole('link', { name: 'Sign in again in a new tab' })).toHaveAttribute('target', '_blank');
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing that you typed is lost' })).toBeVisible();
  await looksWell(page, 'session ended');

  isOut = false;
  await expect(notice, 'the page finds out by itself').toBeHidden({ timeout: 30_000 });
  await expect(field).toHaveValue(name);
  await expect(page.getByRole('textbox', { name: 'Values' })).toContainText('# typed');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${name}`));
  expect(keys, 'both tries are the same operation').toEqual([keys[0], keys[0]]);
  const all = await (await request.get(`${url()}/api/v1/operations?namespace=${namespace}&name=${name}`)).json();
  expect(all).toHaveLength(1);
});

test('a proxy that leads to its own page ends the session, and a reload brings back what was typed', async ({ page }) => {
  let isOut = false;
  tolerate(page, /login\.example|net::ERR_FAILED .*\/api\/ui\//);
  await page.route('**/api/ui/**', (route) =>
    isOut ? route.fulfill({ status: 302, headers: { location: 'https://login.example/' } }) : route.continue(),
  );
  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/web`);
  const field = page.getByRole('textbox', { name: 'Release name' });
  await field.fill('kept-over-reload');
  isOut = true;
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Your session has ended').first()).toBeVisible();
  // As long as there is no session: with one the page goes on by itself, and has nothing to be pressed.
  await page.getByRole('button', { name: 'Load this page again' }).click();
  isOut = false;
  await expect(field).toHaveValue('kept-over-reload');
});

test('a list that could not be had comes by itself when there is a session again', async ({ page }) => {
  let isOut = true;
  await page.route('**/api/ui/**', (route) => (isOut ? route.fulfill({ status: 401, body: '' }) : route.continue()));
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await expect(page.getByText('Your session has ended').first()).toBeVisible();
  isOut = false;
  await expect(page.getByText('Your session has ended')).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByRole('button', { name: /Signed in as admin/ })).toBeVisible();
});
