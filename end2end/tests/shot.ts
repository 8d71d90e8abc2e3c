// Pictures of the mock-ups' screens: how one is taken, packed, and told to be another one.
import type { Page } from '@playwright/test';

/** How a screen is shown for its picture. */
export const LOOK = { viewport: { width: 1440, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en', timezoneId: 'UTC' } as const;

/** Opens a screen, and waits until it shows what it is to show. */
export async function settle(page: Page, address: string, isHeld: boolean) {
  await page.goto(address);
  await page.locator('h1').first().waitFor({ state: 'attached' });
  if (!isHeld) await page.locator('.pf-v6-c-skeleton').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  // The steps of a screen are done one after another, each when the page has drawn the one before.
  await page.waitForFunction(() => (window as any).slipwayPlayer.settled);
}

/** A picture of the page as WebP; the browser itself packs it. */
export async function shot(page: Page): Promise<Buffer> {
  const png = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
  const webp = await page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    const packed = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 })).arrayBuffer());
    return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  }, png);
  return Buffer.from(webp, 'base64');
}

/** How much two pictures differ, as a person across the room would see it: the mean difference of small grey copies, 0 to 255. */
export async function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const small = await Promise.all(
        pictures.map(async (data) => {
          const image = await createImageBitmap(await (await fetch(`data:image/webp;base64,${data}`)).blob());
          const canvas = new OffscreenCanvas(96, 60);
          const context = canvas.getContext('2d')!;
          context.drawImage(image, 0, 0, 96, 60);
          return context.getImageData(0, 0, 96, 60).data;
        }),
      );
      let sum = 0;
      for (let at = 0; at < small[0].length; at++) sum += Math.abs(small[0][at] - small[1][at]);
      return sum / (small[0].length * 0.75);
    },
    [one, other].map((picture) => picture.toString('base64')),
  );
}
