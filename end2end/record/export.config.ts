// `make mockups-export`: the mock-ups as pictures, and as one PDF.
import { defineConfig } from '@playwright/test';
import base from '../playwright.config';

export default defineConfig({
  ...base,
  testDir: '.',
  testMatch: '*.export.ts',
  globalSetup: undefined,
  outputDir: '../results',
  timeout: 300_000,
  reporter: 'list',
});
