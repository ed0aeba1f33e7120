/**
 * The pages while they are developed: Vite, in a process of its own that outlives the server's restarts. Browsers get
 * the sources through the server, under its address, and hear of changes from here; the server fetches from here what
 * renders the pages (server/pages/workshop.ts). Its parent, scripts/dev.mjs, is sent the address.
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
/** What pages load in place of the built entry. */
const ENTRY = 'virtual:dev-entry'

/** React learns to replace components before the first of them is loaded; then Vite's own sheets take over. */
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
  // Packages that are found later make every open page load again.
  optimizeDeps: { entries: ['web/entry.client.tsx', 'web/**/*.tsx'] },
  server: {
    middlewareMode: true,
    // The pages' policy lets no overlay in; what is wrong stands in the terminal and the console.
    hmr: { server: http, host: HOST, clientPort: port, overlay: false },
  },
})
/** Files in the order in which they changed. */
const changes: string[] = []
vite.watcher.on('all', (_, file) => changes.push(normalizePath(file)))

/**
 * `/changes?since=3` lists the files that changed after the first three, with the count of all; `/invoke` gives the
 * server a module.
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
// Whoever started it has gone without a word.
process.once('disconnect', () => process.exit())
process.send?.(`http://${HOST}:${port}`)
