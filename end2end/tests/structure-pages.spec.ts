// What a screen reader is told of the other pages, of each tab of a release, and of what opens over a page.
import { expect, test, type Page } from './fixture';
import { chart, ended, release, submit, unique, url } from './slipway';

const namespace = 'team-b';
const at = (path: string) => `${url()}/helm/ns/${namespace}/${path}`;
const main = (page: Page) => expect(page.getByRole('main'));

test('the catalogue, a chart, the repositories and their form, and the page for what is elsewhere', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(at('catalog?q=web'));
  await main(page).toMatchAriaSnapshot(`
    - heading "Helm Charts" [level=1]
    - button "Create"
    - group "Chart Repositories":
      - list:
        - listitem:
          - checkbox /samples/
    - group "Keywords":
      - list
    - textbox "Filter by keyword": web
    - 'button "Sort: Relevance"'
    - status: /\\d+ items?/
    - list "Charts":
      - listitem:
        - text: samples
        - heading "web" [level=2]:
          - link "web"
        - paragraph: 2.0.0 · App 1.29.3
        - paragraph: A small web server
  `);
  await page.goto(at('catalog/samples/web'));
  await expect(page.getByRole('dialog', { name: 'web' })).toMatchAriaSnapshot(`
    - dialog "web":
      - heading "web" [level=2]
      - button "Close"
      - link "Create"
      - combobox "Chart version":
        - option "2.0.0 / App version 1.29.3" [selected]
      - term: App version
      - definition: 1.29.3
      - term: Created
      - definition:
        - time
      - term: Home page
      - definition:
        - link "https://nginx.org"
      - navigation "Chart":
        - list:
          - listitem:
            - link "README"
          - listitem:
            - link "Values"
          - listitem:
            - link "Versions"
      - region "README":
        - table
  `);
  await page.goto(at('repositories'));
  await main(page).toMatchAriaSnapshot(`
    - heading "Repositories" [level=1]
    - button "Create"
    - textbox "Filter by name"
    - status: /\\d+ repositor(y|ies)/
    - table "Repositories":
      - rowgroup:
        - row "Name Source Repo URL Status Charts Last fetched Actions"
      - rowgroup:
        - row /samples Slipway’s settings .* Ready \\d+ .* Actions for samples/
  `);
  await page.goto(at('repositories/add'));
  await main(page).toMatchAriaSnapshot(`
    - navigation "Breadcrumb"
    - heading "Create Helm Chart Repository" [level=1]
    - textbox "Name"
    - textbox "Display name"
    - textbox "Description"
    - textbox "URL"
    - checkbox "Disable usage of the repository in the Software Catalog"
    - group "Credentials":
      - combobox "Authentication":
        - option "None" [selected]
      - textbox "CA certificate"
      - textbox "TLS client certificate"
      - textbox "TLS client key"
    - button "Create"
    - button "Test connection"
    - link "Cancel"
  `);
  await page.goto(at('elsewhere'));
  await main(page).toMatchAriaSnapshot(`
    - navigation "Breadcrumb"
    - heading "Install Helm Chart from URL or file" [level=1]
    - group "Where the chart is":
      - button "URL" [pressed]
      - button "File"
    - textbox "Chart URL"
    - button "Next" [disabled]
    - link "Cancel"
  `);
  await page.getByRole('button', { name: 'File' }).click();
  await main(page).toMatchAriaSnapshot(`
    - group "Where the chart is":
      - button "URL"
      - button "File" [pressed]
    - group "Chart archive":
      - button "Choose a file"
    - button "Next" [disabled]
  `);
});

test.describe('of a release', () => {
  let name = '';
  test.beforeAll(async ({ request }) => {
    test.setTimeout(120_000);
    name = unique('told');
    const body = { kind: 'install', namespace, name, chart: await chart(request, 'web'), values: 'replicas: 1\n' };
    expect(await ended(request, await submit(request, body))).toBe('succeeded');
    expect(await ended(request, await submit(request, { ...body, kind: 'upgrade', values: 'replicas: 2\n' }))).toBe('succeeded');
  });

  test('each of its tabs', async ({ page }) => {
    test.setTimeout(120_000);
    const tabs: [tab: string, told: string][] = [
      ['resources', `
        - textbox "Filter by name, type or chart"
        - combobox "Status"
        - group "Grouping":
          - button "By type"
          - button "One list" [pressed]
        - table "Resources":
          - rowgroup:
            - row "Name Type Namespace Status Reason Created"
          - rowgroup:
            - row /${name} Deployment ${namespace} Ready 2 of 2 replicas ready/
        - status: 4 of 4 resources, 1 of 1 hooks
      `],
      ['topology', `
        - group "View":
          - button "Graph" [pressed]
          - button "List"
        - list "Meaning of the lines":
          - listitem: Selects
        - group "Picture of the resources":
          - img:
            - 'link "Deployment ${name}: Ready, 2 of 2 replicas ready, 2 of 2 pods ready"'
        - group "View":
          - button "Zoom in"
          - button "Zoom out"
          - button "Fit to screen"
      `],
      ['timeline', `
        - paragraph: /Revision 2/
        - table "Timeline":
          - rowgroup:
            - row "Name Time Duration"
          - rowgroup "Operation":
            - row /Done Attempt 1 From/
          - rowgroup "Resources":
            - row /Deployment ${name}/
      `],
      ['values', `
        - combobox "Revision":
          - option "Revision 2 (newest)" [selected]
          - option "Revision 1"
        - group "Which values":
          - button "Given by users" [pressed]
          - button "All, computed"
        - textbox "Search"
        - button "Copy"
        - button "Download"
        - region "Values"
      `],
      ['manifest', `
        - navigation "Objects of the manifest":
          - button "The whole manifest"
          - list:
            - listitem:
              - button "Service ${name}"
          - list:
            - listitem:
              - button /Pod ${name}-answers/
        - textbox "Search"
        - region "Manifest"
      `],
      ['history', `
        - text: Choose two revisions to see what differs.
        - table "Revision history":
          - rowgroup:
            - row "Compare Revision Updated Status Chart name Chart version App version Requested by Description Actions"
          - rowgroup:
            - row /Compare revision 2 2 .* Deployed web 2\\.0\\.0 1\\.29\\.3 admin Upgrade complete Actions for revision 2/
            - row /Compare revision 1 1 .* Superseded .* Rollback to revision 1 Actions for revision 1/
      `],
      ['logs', `
        - combobox "Operation":
          - option /Upgrade, .* succeeded/ [selected]
          - option /Install, .* succeeded/
        - textbox "Find in the log"
        - checkbox "Wrap lines" [checked]
        - button "Download"
        - log /Log of/
        - status: The operation has ended.
      `],
      ['tests', `
        - button "Run tests"
        - status: 1 test, not run yet
        - list:
          - listitem: /Not run ${name}-answers/
      `],
      ['rollback?revision=1', `
        - navigation "Breadcrumb"
        - heading "Rollback Helm release" [level=1]
        - table "Revisions":
          - rowgroup
          - rowgroup:
            - row /Revision 1/:
              - cell:
                - radio "Revision 1" [checked]
        - region "What changes from revision 2 to revision 1":
          - heading "What changes from revision 2 to revision 1" [level=2]
          - group "What is compared":
            - button "Manifest" [pressed]
            - button "Values given"
        - button "Rollback"
        - link "Cancel"
      `],
      ['upgrade', `
        - heading "Upgrade Helm release" [level=1]
        - textbox "Release name": ${name}
        - combobox "Chart source"
        - combobox "Chart version":
          - option "2.0.0 / App version 1.29.3 (current)" [selected]
        - region "Values":
          - radiogroup "Configure via:":
            - radio "Form view"
            - radio "YAML view" [checked]
          - textbox /Values, YAML/
        - group "Options"
        - button "Upgrade" [disabled]
        - button "Preview" [disabled]
        - link "Cancel"
      `],
    ];
    for (const [tab, told] of tabs) {
      await page.goto(`${release(namespace, name)}/${tab}`);
      await main(page).toMatchAriaSnapshot(told);
    }
  });

  test('what opens over a page: dialogs, a preview, the palette, the sheet of shortcuts', async ({ page }) => {
    test.setTimeout(120_000);
    const dialog = (words: string) => page.getByRole('dialog', { name: words });
    await page.goto(`${release(namespace, name)}?action=test`);
    await expect(dialog('Run the release’s tests?')).toMatchAriaSnapshot(`
      - dialog "Run the release’s tests?":
        - heading "Run the release’s tests?" [level=2]
        - group: Options
        - group: The same in a terminal
        - button "Run tests"
        - button "Cancel"
    `);
    await page.goto(`${release(namespace, name)}?action=uninstall`);
    await expect(dialog('Uninstall Helm release?')).toMatchAriaSnapshot(`
      - dialog "Uninstall Helm release?":
        - heading "Uninstall Helm release?" [level=2]
        - textbox "Release name"
        - checkbox "Keep the history"
        - group: Options
        - group: The same in a terminal
        - button "Uninstall" [disabled]
        - button "Cancel"
    `);
    await page.goto(at('install/samples/web'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(dialog('Preview')).toMatchAriaSnapshot(
      `
      - dialog "Preview":
        - heading "Preview" [level=2]
        - text: /Nothing of it is stored/
        - group "What to show":
          - button "Manifests" [pressed]
          - button "Release notes"
        - textbox "Search the manifests"
        - button "Copy"
        - status: 5 objects
        - heading "Deployment 1" [level=3]
        - button "Close"
      `,
      { timeout: 60_000 },
    );
    await page.keyboard.press('Escape');
    await page.goto(at('releases'));
    await page.getByRole('button', { name: 'Go to or do' }).click();
    await dialog('Go to or do').getByRole('combobox', { name: 'Go to or do' }).fill(name);
    await expect(dialog('Go to or do')).toMatchAriaSnapshot(`
      - dialog "Go to or do":
        - combobox "Go to or do" [expanded]: ${name}
        - listbox "Choices":
          - option "${name} Helm release in ${namespace}" [selected]
        - status: /\\d+ choices?/
    `);
    await page.keyboard.press('Escape');
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    await expect(dialog('Keyboard shortcuts')).toMatchAriaSnapshot(`
      - dialog "Keyboard shortcuts":
        - banner:
          - heading "Keyboard shortcuts" [level=2]
        - term: Filter the list
        - definition: /
        - term: Go to the Helm releases
        - definition: g r
        - checkbox "Single keys" [checked]
        - contentinfo:
          - button "Close"
    `);
  });
});
