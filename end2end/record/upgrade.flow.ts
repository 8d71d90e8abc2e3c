// A release through its life: installed, upgraded, rolled back, uninstalled.
import { expect, test } from '@playwright/test';
import { url } from '../tests/slipway';
import { Stage } from './stage';

test('an upgrade, and the way back', async ({ browser }) => {
  const stage = await Stage.begin(browser, url());
  const name = 'front';
  const page = `/helm/ns/demo/release/${name}`;
  stage.follow('demo', name);
  stage.note('A release with an older version of its chart.');
  await stage.submit({ kind: 'install', namespace: 'demo', name, chart: 'web', version: '1.0.0', values: 'replicas: 1\n' });
  await stage.visit(page);
  await stage.until('phase', /^Deployed$/);
  stage.note('Upgrade: the form has the values that are in use, and the versions of the chart.');
  await stage.visit(`${page}/upgrade`);
  await stage.choose(stage.lead.locator('#version'), '2.0.0');
  await expect(stage.lead.getByRole('button', { name: 'Upgrade' })).toBeEnabled();
  await stage.lead.waitForTimeout(3000);
  await stage.press(stage.lead.getByRole('button', { name: 'Upgrade' }));
  await expect(stage.lead).toHaveURL(new RegExp(`${page}$`));
  stage.note('The page of the release follows it.');
  await stage.until('phase', /^Upgrading$/);
  await stage.until('phase', /^Deployed$/);
  const tabs = ['resources', 'topology', 'timeline', 'values', 'manifest', 'history', 'logs', 'tests'].map((tab) => `${page}/${tab}`);
  await stage.beside(...tabs, `${page}/rollback`, `${page}/rollback?revision=1`, `${page}/history?from=1&to=2`, `${page}/upgrade`);
  stage.note('The history has both revisions, and what differs between them.');
  await stage.visit(`${page}/history`);
  await stage.lead.waitForTimeout(4000);
  stage.note('Rollback shows what would change before it is done.');
  await stage.visit(`${page}/rollback?revision=1`);
  await stage.lead.waitForTimeout(4000);
  await stage.press(stage.lead.getByRole('button', { name: 'Rollback' }));
  await expect(stage.lead).toHaveURL(new RegExp(`${page}$`));
  await stage.until('phase', /^Deployed$/);
  stage.note('Deployed: revision 3 is revision 1 again.');
  await stage.lead.waitForTimeout(3000);
  await stage.end('upgrade-rollback');
});
