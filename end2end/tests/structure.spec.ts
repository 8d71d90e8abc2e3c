// What a screen reader is told of the main pages.
import { expect, test } from './fixture';
import { ended, submit, unique, url } from './slipway';

const namespace = 'team-b';

test('the list, the form and the release have their structure', async ({ page, request }) => {
  const name = unique('structure');
  const chart = { repository: 'samples', name: 'web', version: '1.0.0' };
  expect(await ended(request, await submit(request, { kind: 'install', namespace, name, chart }))).toBe('succeeded');

  await page.goto(`${url()}/helm/ns/${namespace}/releases?name=${name}`);
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - link "Skip to content"
    - banner:
      - button "Navigation"
      - link "Slipway, start"
      - button "Go to or do"
      - button /^Operations/
      - button "Theme"
      - button "Signed in as admin"
    - navigation "Main":
      - region "Helm":
        - heading "Helm" [level=2]
        - list:
          - listitem:
            - link "Releases"
          - listitem:
            - link "Repositories"
          - listitem:
            - link "Software Catalog"
    - main:
      - 'button "Namespace: ${namespace}"'
      - heading "Helm releases" [level=1]
      - button "Create"
      - checkbox "Select all on this page"
      - textbox "Filter by name": ${name}
      - button "Status"
      - button "Chart"
      - button "1 – 1 of 1"
      - navigation "Pages"
      - list "Name":
        - listitem: ${name}
      - button "Clear all filters"
      - table "Helm releases":
        - rowgroup:
          - row "Select Name Revision Updated Status Chart name Chart version App version Actions"
        - rowgroup:
          - 'row /Select ${name} ${name} 1 .* Deployed web 1\\.0\\.0 Update available: 2\\.0\\.0.* 1\\.27\\.5 Actions for ${name}/'
  `);

  await page.goto(`${url()}/helm/ns/${namespace}/install/samples/web`);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - navigation "Breadcrumb"
    - heading "Create Helm release" [level=1]
    - textbox "Release name": web
    - combobox "Namespace": ${namespace}
    - combobox "Chart version":
      - option "2.0.0 / App version 1.29.3" [selected]
    - region "Values":
      - heading "Values" [level=2]
      - textbox /Values, YAML/
    - group "Options":
      - checkbox "Wait until everything is ready" [checked]
      - checkbox "Undo on failure"
      - checkbox "Create the namespace"
      - textbox "Time-out": 5m
      - group: Advanced options
    - button "Create"
    - button "Preview"
    - link "Cancel"
  `);

  await page.goto(`${url()}/helm/ns/${namespace}/release/${name}`);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - navigation "Breadcrumb"
    - heading "${name}" [level=1]
    - text: Deployed Chart web 1.0.0
    - 'link "Update available: 2.0.0"'
    - text: Revision 1
    - link "3 of 3 ready"
    - text: Updated
    - time
    - button "Actions"
    - navigation "Release":
      - list:
        - listitem:
          - link "Details"
        - listitem:
          - link "Resources"
        - listitem:
          - link "Topology"
        - listitem:
          - link "Timeline"
        - listitem:
          - link "Values"
        - listitem:
          - link "Manifest"
        - listitem:
          - link "Revision history"
        - listitem:
          - link "Logs"
        - listitem:
          - link "Tests"
    - region "State":
      - term: Operation
      - definition: Install of samples/web 1.0.0
      - progressbar "3 of 3 resources ready"
      - group: The same in a terminal
    - region "Helm release details":
      - heading "Helm release details" [level=2]
    - region "Resources":
      - heading "Resources" [level=2]
      - link "See all 3"
      - list:
        - listitem:
          - link "Deployment ${name}"
    - region "Release notes":
      - heading "Release notes" [level=2]
  `);
});
