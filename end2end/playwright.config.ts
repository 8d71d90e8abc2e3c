// One embedded cluster and one Slipway for the whole run (see demo.ts); each test works on a release name of its own.
import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';

// A machine without Playwright's own browser uses the distribution's.
const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

export default defineConfig({
  testDir: 'tests',
  outputDir: 'results',
  snapshotPathTemplate: '{testDir}/snapshots/{testFileName}/{arg}{ext}',
  globalSetup: './demo.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: !!process.env.CI,
  retries: 0,
  reporter: [['list'], ['json', { outputFile: 'results/report.json' }], ['./gallery.ts']],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
