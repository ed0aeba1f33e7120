import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { messages } from './scripts/vite-messages.ts'

export default defineConfig({
  // Some tests render pages from their sources.
  plugins: [react(), messages()],
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
          include: ['contract', 'server', 'web'].map((room) => `${room}/**/*.test.ts`),
          globalSetup: 'server/testing/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['faults/**/*.test.ts'],
          // Whole products that are measured by the seconds they take: after the others, and one by one.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
      { extends: true, test: { name: 'architecture', include: ['architecture.test.ts'] } },
    ],
  },
})
