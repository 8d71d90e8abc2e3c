// Every page: reachable by its address, accessible in both themes, on a desk and on a phone.
import { expect, test } from './fixture';
import { ended, looksWell, submit, unique, url } from './slipway';

const namespace = 'team-a';
let name: string;

test.beforeAll(async ({ request }) => {
  name = unique('shown');
  const { version } = await (await request.get(`${url()}/api/v1/charts/samples/web`)).json();
  const chart = { repository: 'samples', name: 'web', version };
  const id = await submit(request, { kind: 'install', namespace, name, chart, values: 'replicas: 1\n' });
  expect(await ended(request, id)).toBe('succeeded');
  const again = await submit(request, { kind: 'upgrade', namespace, name, chart, values: 'replicas: 2\n' });
  expect(await ended(request, again)).toBe('succeeded');
});

const pages: [title: string, path: () => string][] = [
  ['releases', () => `/helm/ns/${namespace}/releases`],
  ['releases of all namespaces', () => '/helm/all-namespaces/releases'],
  ['catalogue', () => `/helm/ns/${namespace}/catalog`],
  ['chart', () => `/helm/ns/${namespace}/catalog/samples/platform`],
  ['versions of a chart', () => `/helm/ns/${namespace}/catalog/samples/web?tab=versions`],
  ['repositories', () => `/helm/ns/${namespace}/repositories`],
  ['repository form, empty', () => `/helm/ns/${namespace}/repositories/add`],
  ['elsewhere', () => `/helm/ns/${namespace}/elsewhere`],
  ['elsewhere, a file', () => `/helm/ns/${namespace}/elsewhere?from=file`],
  ['install form', () => `/helm/ns/${namespace}/install/samples/schema`],
  ['release', () => `/helm/ns/${namespace}/release/${name}`],
  ['resources', () => `/helm/ns/${namespace}/release/${name}/resources`],
  ['topology of a release', () => `/helm/ns/${namespace}/release/${name}/topology`],
  ['timeline of a release', () => `/helm/ns/${namespace}/release/${name}/timeline`],
  ['values', () => `/helm/ns/${namespace}/release/${name}/values`],
  ['manifest', () => `/helm/ns/${namespace}/release/${name}/manifest`],
  ['history', () => `/helm/ns/${namespace}/release/${name}/history`],
  ['history, compared', () => `/helm/ns/${namespace}/release/${name}/history?from=1&to=2&facet=values`],
  ['logs', () => `/helm/ns/${namespace}/release/${name}/logs`],
  ['tests', () => `/helm/ns/${namespace}/release/${name}/tests`],
  ['upgrade form', () => `/helm/ns/${namespace}/release/${name}/upgrade`],
  ['rollback page', () => `/helm/ns/${namespace}/release/${name}/rollback?revision=1`],
  ['tests dialog', () => `/helm/ns/${namespace}/release/${name}?action=test`],
  ['uninstall dialog', () => `/helm/ns/${namespace}/release/${name}?action=uninstall`],
  ['release that is not there', () => `/helm/ns/${namespace}/release/nothing-here`],
  ['address that is not there', () => '/no/such/page'],
];

for (const [title, path] of pages) {
  test(`${title}: accessible, and nothing beyond its edge, in each look`, async ({ page }) => {
    await page.goto(url() + path());
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await expect(page.locator('[aria-busy=true], .skeleton-lines')).toHaveCount(0);
    await looksWell(page, title, true);
  });
}
