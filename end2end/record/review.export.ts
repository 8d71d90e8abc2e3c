// A picture of each screen, and all of them as a PDF, for who cannot open the mock-ups.
import { test } from '@playwright/test';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LOOK, settle, shot } from '../tests/shot';
import { Site, pictureOf, review } from '../tests/site';

test.describe.configure({ mode: 'serial' });
test.use(LOOK);

let site: Site;
test.beforeAll(async () => {
  site = await Site.open();
});
test.afterAll(() => site.close());

test('pictures', async ({ browser }) => {
  const folder = path.dirname(pictureOf('any'));
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext(LOOK);
  const page = await context.newPage();
  const asked = process.env.SCREENS?.split(',');
  for (const { id, faults } of review.screens.filter((screen) => asked?.includes(screen.id) ?? true)) {
    await settle(page, `${site.address}/screen.html?screen=${id}`, Object.values(faults ?? {}).includes('held'));
    writeFileSync(pictureOf(id), await shot(page));
  }
  const known = new Set(review.screens.map(({ id }) => path.basename(pictureOf(id))));
  for (const name of readdirSync(folder)) if (!known.has(name)) rmSync(path.join(folder, name));
});

test('a PDF', async ({ page }) => {
  await page.goto(`${site.address}/index.html#/print`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
  // What a PDF holds as it is are JPEGs alone: anything else would be five times as large.
  await page.evaluate(async () => {
    const images = [...document.images];
    for (const image of images) {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [1152, 720];
      canvas.getContext('2d')!.drawImage(image, 0, 0, 1152, 720);
      image.src = canvas.toDataURL('image/jpeg', 0.6);
    }
    await Promise.all(images.map((image) => image.decode()));
  });
  await page.pdf({ path: path.join(path.dirname(pictureOf('any')), '../mockups.pdf'), format: 'A4', landscape: true, printBackground: false, outline: true, tagged: true });
});
