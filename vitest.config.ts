import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'contract/**/*.test.ts',
      'server/**/*.test.ts',
      'web/**/*.test.ts',
      'architecture.test.ts',
    ],
    globalSetup: 'server/testing/global-setup.ts',
    // A process a file: sockets, signals and native modules behave as in the product.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
