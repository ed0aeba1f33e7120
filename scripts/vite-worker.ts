/** Writes the service worker beside the pages' files: one script of its own, which imports nothing. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Plugin, transformWithOxc } from 'vite'

const SOURCE = fileURLToPath(new URL('../worker/service-worker.ts', import.meta.url))

/** Adds `service-worker.js` to the build that browsers load. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    async generateBundle() {
      const { code } = await transformWithOxc(await readFile(SOURCE, 'utf8'), SOURCE)
      // As a classic script: not every browser takes modules there.
      const source = code.replace(/^export\s*\{\s*\};?\s*$/m, '')
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source })
    },
  }
}
