// The list of releases while it changes: nothing jumps under the pointer or the focus, and
// nothing that was chosen is lost.
import { expect, test, type Page } from './fixture';
import { url } from './slipway';
import { recorded, row } from './recording';

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
