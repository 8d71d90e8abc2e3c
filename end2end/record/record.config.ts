// `make record`: records the flows of the mock-ups, one after another, for each has the machine to itself.
import { defineConfig } from '@playwright/test';
import base from '../playwright.config';

export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.flow.ts',
  globalSetup: '../demo.ts',
  outputDir: '../results',
  timeout: 400_000,
  fullyParallel: false,
  workers: 1,
  reporter: 'list',
});
