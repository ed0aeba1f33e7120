import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // A process a file: sockets, signals and native modules behave as in the product.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.ts'],
          globalSetup: 'server/testing/global-setup.ts',
        },
      },
      { extends: true, test: { name: 'architecture', include: ['architecture.test.ts'] } },
    ],
  },
})
