import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { messages } from './scripts/vite-messages.ts'

/** All but the tests themselves and what renders pages from their sources, which no Node reads. */
const READ_BY_NODE = new RegExp(
  `^(?:file://)?${import.meta.dirname.replaceAll(/\W/g, String.raw`\$&`)}/(?:server|contract|packages)/(?!testing/pages\\.ts$|.*\\.test\\.ts$).*\\.ts$`,
)

export default defineConfig({
  // Some tests render pages from their sources.
  plugins: [react(), messages()],
  test: {
    // Processes: sockets, signals and native modules behave as in the product. What a file changes of its process it puts
    // back, since others come after it: a process a file took half as much processor time again.
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    // Node reads what the product is made of itself, as it does where it runs: half the time of a file's imports.
    server: { deps: { external: [READ_BY_NODE] } },
    // When a test counts as hung, on a machine that has other work too; what must be quick asserts it.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'product',
          include: [
            ...['contract', 'server', 'web', 'deploy', 'scripts'].map(
              (room) => `${room}/**/*.test.ts`,
            ),
            'lab/simulation/simulation.test.ts',
          ],
          exclude: ['**/*.slow.test.ts'],
          provide: { isThorough: false },
          globalSetup: 'server/testing/global-setup.ts',
        },
      },
      { extends: true, test: { name: 'architecture', include: ['architecture.test.ts'] } },
      // `npm run test:more`: packages, the laboratory and long experiments. Most of these start several processes, so two
      // files at once keep both cores busy.
      {
        extends: true,
        test: {
          name: 'more',
          include: [
            'packages/**/*.test.ts',
            'lab/**/*.test.ts',
            '{server,web,deploy,scripts}/**/*.slow.test.ts',
            // `npm test` tries a part of these (server/testing/lane.ts).
            'server/**/*histories.test.ts',
            'server/operate/audit/audit.test.ts',
            'server/platform/files/upload-locks.test.ts',
            'server/items/ratings/sums.test.ts',
            'server/testing/attacks/*.test.ts',
          ],
          provide: { isThorough: true },
          globalSetup: 'server/testing/global-setup.ts',
          maxWorkers: 2,
        },
      },
    ],
  },
})
