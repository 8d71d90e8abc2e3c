// The test of all specs: one that also fails when the browser's console was told of an error.
import { expect, test as base, type ConsoleMessage, type Page } from '@playwright/test';

export { expect, type APIRequestContext, type Locator, type Page, type TestInfo } from '@playwright/test';

const tolerated = new WeakMap<object, RegExp[]>();

/** Errors that a test brings about itself: by what the console says of them, and the address that they are about. */
export const tolerate = (page: Page, ...errors: RegExp[]) => void tolerated.get(page.context())?.push(...errors);

/**
 * A refusal of the API (4xx), and that somebody else's server gives no answer (503), are answers that the page tells in its own
 * words; Chromium notes each in the console, and no page can keep it from doing so. That an answer is missing, or is a fault of
 * Slipway's, is no such thing.
 */
const isRefusal = (message: ConsoleMessage) =>
  /^Failed to load resource: .* status of (4\d\d|503)/.test(message.text()) && new URL(message.location().url).pathname.includes('/api/');

export const test = base.extend<{ quiet: void }>({
  quiet: [
    async ({ context }, use) => {
      const told: string[] = [];
      const expected: RegExp[] = [];
      tolerated.set(context, expected);
      context.on('console', (message) => {
        if (message.type() !== 'error' || isRefusal(message)) return;
        told.push(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => told.push(error.error().stack ?? error.error().message));
      await use();
      expect(told.filter((error) => !expected.some((one) => one.test(error))), 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
});
