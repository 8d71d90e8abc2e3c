// What is done from the list of releases: the menu of a row, several uninstalled at once, and rows that explain themselves.
import { expect, test } from './fixture';
import { kubernetes, leavePending } from './cluster';
import { recorded, row } from './recording';
import { chart, ended, expectAccessible, looks, looksWell, picture, submit, unique, url } from './slipway';

const namespace = 'team-b';

for (const [look, options] of [['on a desk', looks[0][1]], ['on a phone', looks[2][1]]] as const) {
  test.describe(look, () => {
    test.use(options);
    test('several releases are uninstalled at once, after a word is typed', async ({ page, request }) => {
      const stem = unique('several');
      const names = [`${stem}-one`, `${stem}-two`];
      for (const name of names) {
        const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
        expect(await ended(request, await submit(request, body))).toBe('succeeded');
      }
      await page.goto(`${url()}/helm/ns/${namespace}/releases?name=${stem}`);
      await page.getByLabel('Select all on this page').check();
      const chosen = page.getByRole('group', { name: 'Selected releases' });
      await expect(chosen).toContainText('2 selected');
      await chosen.getByRole('button', { name: 'Uninstall' }).click();
      const dialog = page.getByRole('dialog', { name: 'Uninstall Helm releases?' });
      for (const name of names) await expect(dialog).toContainText(name);
      const button = dialog.getByRole('button', { name: 'Uninstall 2 releases' });
      await expect(button).toBeDisabled();
      await dialog.getByRole('textbox', { name: 'Confirmation' }).fill('uninstal');
      await expect(button).toBeDisabled();
      await expectAccessible(page);
      const keys = new Set<string>();
      page.on('request', (sent) => sent.url().endsWith('/submit') && keys.add(sent.postDataJSON().request.idempotencyKey));
      await dialog.getByRole('textbox', { name: 'Confirmation' }).fill('uninstall');
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(page.locator('.removal-results').getByText('2 uninstalls were accepted')).toBeVisible();
      await expect(chosen).toBeHidden();
      await expect(page).toHaveURL(new RegExp(`name=${stem}`));
      for (const name of names) await expect(page.getByRole('link', { name, exact: true })).toBeHidden({ timeout: 60_000 });
      expect(keys.size, 'one operation each').toBe(2);
    });
  });
}

test('what is refused is told with its reason and can be tried again; what cannot be is left out', async ({ page }) => {
  const busy = row(namespace, 'busy', { phase: { phase: 'queued', kind: 'upgrade' } });
  await recorded(page, { rows: [row(namespace, 'a'), row(namespace, 'b'), busy] });
  let isAllowed = false;
  const sent: string[] = [];
  await page.route('**/api/ui/submit', (route) => {
    const { name, idempotencyKey } = route.request().postDataJSON().request;
    sent.push(`${name} ${idempotencyKey}`);
    const accepted = { id: `op-${name}`, release: { namespace, name }, state: 'queued' };
    const refused = { status: 403, json: { code: 'forbidden', message: 'You may not create secrets here.' } };
    return route.fulfill(name === 'b' && !isAllowed ? refused : { json: accepted });
  });
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('group', { name: 'Selected releases' }).getByRole('button', { name: 'Uninstall' }).click();
  const dialog = page.getByRole('dialog', { name: 'Uninstall Helm releases?' });
  await expect(dialog).toContainText('Left out: An operation is under way.');
  await looksWell(page, 'uninstall several');
  await dialog.getByRole('textbox', { name: 'Confirmation' }).fill('uninstall');
  await dialog.getByRole('button', { name: 'Uninstall 2 releases' }).click();
  await expect(page.locator('.removal-results').getByText('1 of 2 uninstalls were refused')).toBeVisible();
  await expect(page.getByText('You may not create secrets here.')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'uninstall several, one refused');
  isAllowed = true;
  await page.getByRole('button', { name: 'Try those again' }).click();
  await expect(page.locator('.removal-results').getByText('1 uninstall was accepted')).toBeVisible();
  expect(new Set(sent).size, 'tried again, it is the same operation').toBe(2);
  expect(sent).toHaveLength(3);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.locator('.removal-results').getByText('1 uninstall was accepted')).toBeHidden();
});

test('the menu of a row has what the release’s page has', async ({ page, request }) => {
  const name = unique('refused');
  const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: many\n' };
  expect(await ended(request, await submit(request, body))).toBe('failed');
  await page.goto(`${url()}/helm/ns/${namespace}/releases?name=${name}`);
  await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Upgrade' })).toBeFocused();
  await expect(page.getByRole('menuitem', { name: /^Rollback/ })).toContainText('There is no earlier revision to go back to.');
  await expect(page.getByRole('menuitem', { name: 'Run tests' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Run again' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Run again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Run it again?' })).toBeVisible();
});

test('a corrupt record and one that a helm elsewhere wrote explain themselves', async ({ page, request }) => {
  const [corrupt, foreign] = [unique('corrupt'), unique('foreign')];
  const body = { kind: 'install', namespace, name: foreign, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
  expect(await ended(request, await submit(request, body))).toBe('succeeded');
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const record = (name: string, revision: number) => `sh.helm.release.v1.${name}.v${revision}`;
  const labels = { owner: 'helm', name: corrupt, version: '1', status: 'deployed' };
  const data = { release: Buffer.from('H4sIAAAAAAAA').toString('base64') };
  await kubernetes('POST', secrets, { metadata: { name: record(corrupt, 1), labels }, type: 'helm.sh/release.v1', data });
  await leavePending(namespace, foreign);
  await page.goto(`${url()}/helm/ns/${namespace}/releases?status=deployed,in-progress`);
  const broken = page.getByRole('row', { name: new RegExp(corrupt) });
  await expect(broken).toContainText('The record is damaged');
  await expect(broken).toContainText(`put the Secret ${record(corrupt, 1)} back from a backup, or delete it`);
  const theirs = page.getByRole('row', { name: new RegExp(foreign) });
  await expect(theirs).toContainText('Pending upgrade');
  await expect(theirs).toContainText('By a Helm outside of Slipway');
  await page.getByRole('button', { name: `Actions for ${foreign}` }).click();
  await expect(page.getByRole('menuitem', { name: /^Upgrade/ })).toHaveAttribute('aria-disabled', 'true');
  await kubernetes('DELETE', `${secrets}/${record(corrupt, 1)}`);
  await expect(page.getByRole('menuitem', { name: /^Upgrade/ })).toContainText('A Helm outside of Slipway');
  await kubernetes('DELETE', `${secrets}/${record(foreign, 2)}`);
});

test('what cannot be listed says why, and what can be done', async ({ page }) => {
  await page.route('**/api/ui/releases', (route) =>
    route.fulfill({ status: 403, json: { code: 'forbidden', message: 'You may not list secrets in team-b.' } }),
  );
  await page.goto(`${url()}/helm/ns/${namespace}/releases`);
  await expect(page.getByRole('heading', { name: 'Not allowed' })).toBeVisible();
  await expect(page.getByText('You may not list secrets in team-b.')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'releases, forbidden');
});
