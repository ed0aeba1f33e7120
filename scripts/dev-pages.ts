/**
 * Runs Vite in its own process, which survives restarts of the server. Browsers load sources through the server's
 * address and receive updates from here; the server fetches the modules that render pages from here
 * (server/pages/workshop.ts). It sends its address to the parent, scripts/dev.mjs.
 */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import react from '@vitejs/plugin-react'
import { createServer, normalizePath, type Plugin } from 'vite'

const HOST = '127.0.0.1'
/** Pages load this instead of the built entry. */
const ENTRY = 'virtual:dev-entry'

/** React Refresh must be installed before the first component loads. Vite's style sheets then take over. */
function devEntry(): Plugin {
  return {
    name: 'dev-entry',
    resolveId: (id) => (id === ENTRY ? `\0${ENTRY}` : null),
    load: (id) =>
      id === `\0${ENTRY}`
        ? [
            "import '/@vite/client'",
            react.preambleCode.replace('__BASE__', '/'),
            "await import('/web/entry.client.tsx')",
            'for (const sheet of document.querySelectorAll(\'link[href$="?direct"]\')) sheet.remove()',
          ].join('\n')
        : null,
  }
}

const http = createHttpServer()
await new Promise<void>((resolve) => http.listen(0, HOST, resolve))
const address = http.address()
const port = typeof address === 'object' ? address?.port : undefined
if (port === undefined) throw new Error('no port was given')

const vite = await createServer({
  mode: 'development',
  logLevel: 'warn',
  plugins: [devEntry()],
  // Packages discovered later would reload all open pages.
  optimizeDeps: { entries: ['web/entry.client.tsx', 'web/**/*.tsx'] },
  server: {
    middlewareMode: true,
    // The pages' policy forbids the overlay; errors are in the terminal and the console.
    hmr: { server: http, host: HOST, clientPort: port, overlay: false },
  },
})
/** Changed files in chronological order. */
const changes: string[] = []
vite.watcher.on('all', (_, file) => changes.push(normalizePath(file)))

/**
 * `/changes?since=3` lists the changes after the first three and the total; `/invoke` returns a module to the
 * server.
 */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ssr = vite.environments['ssr']
  const since = /^\/changes\?since=(\d+)$/.exec(request.url ?? '')?.[1]
  if (since !== undefined) {
    const files = changes.slice(Number(since))
    response.end(JSON.stringify({ files, count: changes.length }))
  } else if (request.url === '/invoke' && request.method === 'POST' && ssr !== undefined)
    response.end(JSON.stringify(await ssr.hot.handleInvoke(JSON.parse(await text(request)))))
  else vite.middlewares(request, response)
}

http.on('request', (request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    response.writeHead(500).end()
  })
})
// The parent process has died.
process.once('disconnect', () => process.exit())
process.send?.(`http://${HOST}:${port}`)
