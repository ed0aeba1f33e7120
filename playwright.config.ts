import { defineConfig } from '@playwright/test'

// CHROMIUM is found by scripts/test.mjs; without it Playwright's own browser is used.
const executablePath = process.env['CHROMIUM']

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'product', testMatch: '**/*.test.ts', testIgnore: '**/*.slow.test.ts' },
    // `npm run test:more`: long experiments, and the crawl in every language and theme.
    { name: 'more', testMatch: '**/*.slow.test.ts' },
  ],
  outputDir: 'node_modules/.cache/playwright',
  fullyParallel: false,
  workers: 3,
  retries: 0,
  // When a journey counts as hung, on a machine that has other work too.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    locale: 'en-GB',
    // It takes over a quarter of a journey's processor time: asked for where one failed, by `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Its requests pass by `page.route`; the journeys that are about it let it in.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--headless',
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
})
