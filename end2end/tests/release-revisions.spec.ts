// What a release was and is: its overview, its texts, its revisions compared, and the way back with a look at what changes.
import { expect, test, type APIRequestContext } from './fixture';
import { chart, ended, looksWell, release, submit, unique } from './slipway';

const namespace = 'team-a';

/** A release with two revisions: the older chart, then the newer one with other values. */
async function twice(request: APIRequestContext, name: string) {
  const first = { kind: 'install', namespace, name, chart: await chart(request, 'web', '1.0.0'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, first))).toBe('succeeded');
  const values = 'replicas: 2\nservice:\n  port: 8080\n';
  const second = { kind: 'upgrade', namespace, name, chart: await chart(request, 'web'), values };
  expect(await ended(request, await submit(request, second))).toBe('succeeded');
}

test('the overview tells how a release is, what it is, and how to reach it', async ({ page, request }) => {
  test.setTimeout(120_000);
  const name = unique('overview');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web', '1.0.0') };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  await test.step('an address that the page once had leads here', async () => {
    await page.goto(`${release(namespace, name)}/notes`);
    await expect(page).toHaveURL(release(namespace, name));
  });
  const notes = page.getByRole('region', { name: 'Release notes' });
  await expect(notes).toContainText(`${name} serves its page inside the cluster at`);
  const link = notes.getByRole('link', { name: `http://${name}.${namespace}.svc:80` });
  await expect(link).toHaveAttribute('rel', /noopener/);
  await notes.getByRole('button', { name: 'Hide' }).click();
  await expect(link).toBeHidden();
  await notes.getByRole('button', { name: 'Show' }).click();

  const details = page.getByRole('region', { name: 'Helm release details' });
  await expect(details).toContainText('admin, by Slipway');
  await expect(details.getByRole('link', { name: 'Update available: 2.0.0' })).toHaveAttribute('href', /\/upgrade/);
  const resources = page.getByRole('region', { name: 'Resources' });
  await resources.getByRole('link', { name: `Deployment ${name}` }).click();
  await expect(page).toHaveURL(new RegExp(`/resources\\?q=${name}`));
  await page.goBack();

  await test.step('the same in a terminal', async () => {
    await page.getByText('The same in a terminal').click();
    const line = page.getByRole('region', { name: 'Command line' });
    await expect(line).toContainText(new RegExp(`helm install .*${name}`, 's'));
    await expect(line).toContainText('--version');
  });
  await looksWell(page, 'release overview');
});

test('what a chart says in its notes is a text, whatever it is', async ({ page, request }) => {
  const name = unique('hostile-notes');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'hostile') };
  await ended(request, await submit(request, body));
  await page.goto(release(namespace, name));
  const notes = page.getByRole('region', { name: 'Release notes' });
  await expect(notes).toContainText('<script>window.hostile=true</script>');
  await expect(notes.locator('script, img, b')).toHaveCount(0);
  expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
  await looksWell(page, 'hostile notes');
});

test('values are searched, kept as a file, and shared by their address', async ({ page, request }) => {
  test.setTimeout(150_000);
  const name = unique('values');
  await twice(request, name);
  await page.goto(`${release(namespace, name)}/values`);
  const text = page.getByRole('region', { name: 'Values' });
  await expect(text).toContainText('port: 8080');
  await expect(text).not.toContainText('nodeSelector');
  await page.getByRole('button', { name: 'All, computed' }).click();
  await expect(text).toContainText('nodeSelector');
  const search = page.getByRole('textbox', { name: 'Search' });
  await search.fill('re');
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
  await search.press('Enter');
  await expect(page.getByText(/^2 of \d+$/)).toBeVisible();
  await expect(text.locator('mark').first()).toHaveText(/re/i);
  await search.fill('no such value');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await search.fill('port');
  await page.reload();
  await expect(search).toHaveValue('port');
  await expect(text.locator('mark').first()).toHaveText('port');
  await looksWell(page, 'release values');

  const kept = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await kept).suggestedFilename()).toBe(`${name}-values-computed-v2.yaml`);
  await page.getByRole('combobox', { name: 'Revision' }).selectOption('Revision 1');
  await expect(page).toHaveURL(/revision=1/);
  await page.getByRole('button', { name: 'Given by users' }).click();
  await expect(text).toContainText('replicas: 1');
  await expect(text).not.toContainText('port: 8080');
});

test('a manifest has an outline, and each of its objects an address', async ({ page, request }) => {
  test.setTimeout(150_000);
  const name = unique('manifest');
  await twice(request, name);
  await page.goto(`${release(namespace, name)}/manifest`);
  const text = page.getByRole('region', { name: 'Manifest' });
  const outline = page.getByRole('navigation', { name: 'Objects of the manifest' });
  await expect(text).toContainText('kind: Deployment');
  await expect(outline.getByRole('button')).toHaveCount(6);
  await expect(text).not.toContainText(`${name}-answers`);
  await outline.getByRole('button', { name: `Pod ${name}-answers test` }).click();
  await expect(text).toContainText('helm.sh/hook: test');
  await expect(text).not.toContainText('kind: Deployment');
  await looksWell(page, 'release manifest hook');
  await outline.getByRole('button', { name: `Service ${name}` }).click();
  await expect(text).toContainText('kind: Service');
  await expect(text).not.toContainText('kind: Deployment');
  await page.reload();
  await expect(outline.getByRole('button', { name: `Service ${name}` })).toHaveAttribute('aria-current', 'true');
  await expect(text).not.toContainText('kind: Deployment');
  await page.getByRole('textbox', { name: 'Search' }).fill('minAvailable');
  await expect(outline.getByRole('button')).toHaveText([/whole manifest/, /PodDisruptionBudget/]);
  await outline.getByRole('button', { name: 'The whole manifest' }).click();
  await expect(text.locator('mark')).toHaveText('minAvailable');
  await looksWell(page, 'release manifest');
});

test('two revisions are compared, and the way back shows what it changes', async ({ page, request }) => {
  test.setTimeout(180_000);
  const name = unique('compared');
  await twice(request, name);
  await page.goto(`${release(namespace, name)}/history`);
  await expect(page.getByText('Choose two revisions to see what differs.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Compare revision 2' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('Revision 2 is chosen: choose another one')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Compare revision 1' }).check();
  await expect(page).toHaveURL(/from=1&to=2/);
  const difference = page.getByRole('region', { name: 'Revision 1 compared with 2' });
  await expect(difference.getByText(`PodDisruptionBudget ${name}`)).toBeVisible();
  await expect(difference.getByText(`Deployment ${name}`)).toBeVisible();
  await difference.getByRole('button', { name: 'Values given' }).click();
  await expect(page).toHaveURL(/facet=values/);
  await expect(difference.getByRole('row', { name: /\+ ?replicas: 2/ })).toBeVisible();
  await page.reload();
  await expect(difference.getByRole('row', { name: /\+ ?replicas: 2/ })).toBeVisible();
  await looksWell(page, 'revisions compared');

  await page.getByRole('link', { name: 'Rollback to revision 1' }).click();
  const changes = page.getByRole('region', { name: 'What changes from revision 2 to revision 1' });
  await expect(changes.getByText(`PodDisruptionBudget ${name}`)).toBeVisible();
  await changes.getByRole('button', { name: 'Values given' }).click();
  await expect(changes.getByRole('row', { name: /\+ ?replicas: 1/ })).toBeVisible();
  await page.getByText('The same in a terminal').click();
  await expect(page.getByRole('region', { name: 'Command line' })).toContainText(new RegExp(`helm rollback .*${name} 1`, 's'));
  await looksWell(page, 'rollback with what changes');
  await page.getByRole('button', { name: 'Rollback' }).click();
  await expect(page.getByTestId('phase')).toHaveText(/Rolling back|Deployed/);
  await page.getByRole('link', { name: 'Revision history' }).click();
  await expect(page.getByRole('row', { name: /Rollback to 1/ })).toContainText('Deployed', { timeout: 60_000 });
});
