/**
 * Builds the service worker next to the pages' files as one classic script, because some browsers don't support
 * module workers.
 */
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const SOURCE = fileURLToPath(new URL('../worker/service-worker.ts', import.meta.url))

/** Adds `service-worker.js` to the client build. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: await bundle() })
    },
  }
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rollupOptions: { input: SOURCE, output: { format: 'iife' } },
    },
  })
  const [first] = [built].flat()
  if (first === undefined || !('output' in first)) throw new Error('the worker was not built')
  return first.output[0].code
}
