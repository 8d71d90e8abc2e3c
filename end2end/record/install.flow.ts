// Installs: a long one, one whose user goes away in the middle, one whose name is taken.
import { expect, test } from '@playwright/test';
import { url } from '../tests/slipway';
import { Stage } from './stage';

const TABS = ['resources', 'topology', 'timeline', 'values', 'manifest', 'history', 'logs', 'tests'];

test('a long install', async ({ browser }) => {
  const stage = await Stage.begin(browser, url());
  const name = 'shop';
  stage.follow('demo', name);
  stage.note('A chart with 46 sub-charts is chosen in the software catalogue.');
  await stage.visit('/helm/ns/demo/catalog');
  await stage.lead.getByRole('link', { name: 'platform', exact: true }).first().waitFor();
  await stage.visit('/helm/ns/demo/install/samples/platform');
  await stage.type(stage.lead.locator('#name'), name);
  stage.note('Create: the answer comes at once, and with it the page of the release.');
  await stage.press(stage.lead.getByRole('button', { name: 'Create' }));
  const page = `/helm/ns/demo/release/${name}`;
  await expect(stage.lead).toHaveURL(new RegExp(page));
  await stage.beside(...TABS.map((tab) => `${page}/${tab}`), '/helm/ns/demo/releases');
  await stage.lead.getByRole('progressbar', { name: 'Resources ready' }).waitFor({ timeout: 60_000 });
  stage.note('Helm has written its record; the objects come up, and are counted by sub-chart.');
  await stage.lead.waitForTimeout(30_000);
  stage.note('The user goes on with something else; the drawer has the operation, from every page.');
  await stage.press(stage.lead.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Software Catalog' }));
  await stage.lead.getByText(`${name}: Installed`).first().waitFor({ timeout: 180_000 });
  stage.note('It is told there when it is done.');
  await stage.lead.waitForTimeout(4000);
  await stage.visit(page);
  await stage.until('phase', /^Deployed$/);
  stage.note('Deployed. The chart’s notes are there.');
  await stage.lead.waitForTimeout(3000);
  await stage.end('long-install');
});

test('the browser is closed in mid-install, and opened again', async ({ browser }) => {
  const stage = await Stage.begin(browser, url());
  const name = 'billing';
  stage.follow('demo', name);
  const page = `/helm/ns/demo/release/${name}`;
  stage.note('An install is submitted, and followed.');
  await stage.submit({ kind: 'install', namespace: 'demo', name, chart: 'web', values: 'startup:\n  seconds: 40\n' });
  await stage.visit(page);
  await stage.beside('/helm/ns/demo/releases');
  await stage.lead.getByRole('progressbar', { name: 'Resources ready' }).waitFor({ timeout: 60_000 });
  await stage.lead.waitForTimeout(5000);
  stage.note('The user closes the browser. Nothing of the operation is in it.');
  await stage.closed();
  await stage.lead.waitForTimeout(10_000);
  stage.note('Opened again, by the address of the release: it goes on, with the time since the beginning.');
  await stage.closed(page);
  await stage.until('phase', /^Deployed$/);
  stage.note('Deployed.');
  await stage.lead.waitForTimeout(3000);
  await stage.end('reopened');
});

test('a name that is in use', async ({ browser }) => {
  const stage = await Stage.begin(browser, url());
  const name = 'orders';
  stage.follow('team-a', name);
  stage.note('There is a release with this name already.');
  await stage.submit({ kind: 'install', namespace: 'team-a', name, chart: 'web', values: '' });
  await stage.visit(`/helm/ns/team-a/release/${name}`);
  await stage.until('phase', /^Deployed$/);
  await stage.visit('/helm/ns/team-a/install/samples/web');
  stage.note('The form says so while the name is typed.');
  await stage.type(stage.lead.locator('#name'), name);
  await stage.lead.waitForTimeout(2500);
  stage.note('Pressed all the same: the server refuses it before anything begins, and the form keeps all that was typed.');
  await stage.press(stage.lead.getByRole('button', { name: 'Create' }));
  await stage.lead.getByRole('alert').filter({ hasText: name }).first().waitFor();
  await stage.lead.waitForTimeout(4000);
  stage.note('With another name it goes through.');
  await stage.type(stage.lead.locator('#name'), 'orders-2');
  await stage.press(stage.lead.getByRole('button', { name: 'Create' }));
  await expect(stage.lead).toHaveURL(/release\/orders-2/);
  await stage.until('phase', /^Deployed$/);
  await stage.lead.waitForTimeout(3000);
  await stage.end('name-in-use');
});
