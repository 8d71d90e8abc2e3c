// The repositories: added with credentials, tested, changed, disabled, removed; and what is said of those that fail.
import { expect, test } from './fixture';
import { BASIC, chartServer } from './charts';
import { expectAccessible, looksWell, unique, url } from './slipway';

const page_ = `${url()}/helm/ns/demo/repositories`;

test('a private repository is added, tested, used, changed and removed', async ({ page }) => {
  const server = await chartServer(BASIC);
  const name = unique('private');
  try {
    await page.goto(page_);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('menuitem', { name: 'Repository' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Create Helm Chart Repository' })).toBeFocused();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not A Name');
    await page.getByRole('textbox', { name: 'URL' }).fill(server.url);
    await page.getByRole('textbox', { name: 'Display name' }).fill('Private charts');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page.getByText(/A name has lower-case letters/)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);

    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'access is refused (HTTP 401)' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Authentication' }).selectOption('User name and password');
    await page.getByRole('textbox', { name: 'User name' }).fill('me');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /It lists \d+ charts in \d+ versions/ })).toBeVisible();
    await looksWell(page, 'repository form');
    await page.getByRole('button', { name: 'Create' }).click();

    const row = page.getByRole('row', { name: new RegExp(name) });
    await expect(row).toContainText('Private charts');
    await expect(row).toContainText('Ready');
    await expect(row).toContainText('Slipway');
    const menu = page.getByRole('button', { name: `Actions for ${name}` });

    await test.step('its charts are in the catalogue', async () => {
      await menu.click();
      await page.getByRole('menuitem', { name: 'Browse charts' }).click();
      await expect(page.getByRole('list', { name: 'Charts' }).getByText('Private charts').first()).toBeVisible();
      await page.goBack();
    });

    await test.step('what is stored is not shown, and kept', async () => {
      await page.getByRole('link', { name: 'Private charts' }).click();
      await expect(page.getByText('Stored: user name and password. They are never shown.')).toBeVisible();
      await expect(page.getByRole('textbox', { name: 'Password' })).toBeHidden();
      await page.getByRole('textbox', { name: 'Description' }).fill('Ours alone');
      await looksWell(page, 'repository form stored');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(row).toContainText('Ours alone');
      await expect(row).toContainText('Ready');
    });

    await test.step('it is disabled, enabled and tested from its menu', async () => {
      await menu.click();
      await page.getByRole('menuitem', { name: 'Disable' }).click();
      const dialog = page.getByRole('dialog', { name: 'Disable repository?' });
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await expect(row).toContainText('Disabled');
      await menu.click();
      await page.getByRole('menuitem', { name: 'Enable' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
      await expect(row).toContainText('Ready');
      await menu.click();
      await page.getByRole('menuitem', { name: 'Test connection' }).click();
      await expect(page.getByRole('dialog', { name: 'Test of Private charts' })).toContainText('It lists');
      await page.keyboard.press('Escape');
    });

    await test.step('its failure is told, and what was fetched stays', async () => {
      server.end();
      await menu.click();
      await page.getByRole('menuitem', { name: 'Test connection' }).click();
      await expect(page.getByRole('dialog').getByText('The test failed')).toBeVisible();
      await looksWell(page, 'repository test failed');
      await page.keyboard.press('Escape');
    });

    await menu.click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Remove repository?' }).getByRole('button', { name: 'Remove' }).click();
    await expect(row).toBeHidden();
  } finally {
    server.end();
  }
});

test('a repository that does not answer says why, and one of the settings who changes it', async ({ page, request }) => {
  const name = unique('broken');
  const spec = { origin: 'slipway', name, url: 'http://127.0.0.1:9/charts' };
  expect((await request.post(`${url()}/api/v1/repositories`, { data: spec })).status()).toBe(201);
  try {
    await page.goto(page_);
    const row = page.getByRole('row', { name: new RegExp(name) });
    await expect(row).toContainText('Error');
    await row.getByText('Why').click();
    await expect(row).toContainText('The index could not be fetched');
    await looksWell(page, 'repositories');
    await page.getByRole('button', { name: 'Actions for samples' }).click();
    await expect(page.getByRole('menuitem', { name: /Edit It is set up where Slipway is started/ })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.goto(`${page_}/edit/samples`);
    await expect(page.getByRole('heading', { name: 'This repository cannot be changed here' })).toBeVisible();
    await page.goto(`${url()}/helm/ns/demo/catalog`);
    await expect(page.getByText(/The charts of .* could not be fetched/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'web', exact: true }).first()).toBeVisible();
  } finally {
    await request.delete(`${url()}/api/v1/repositories/${name}`);
  }
});
