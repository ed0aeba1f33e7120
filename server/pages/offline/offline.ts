/** Serves the service worker's script, which names its build, or one that removes the worker. */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/kernel/config.ts'

export interface OfflineNeeds {
  readonly config: Pick<Config, 'OFFLINE_READING'>
  /** The served build. */
  readonly folder: string
  /** Headers of every response that isn't a page. */
  readonly headers: Readonly<Record<string, string>>
}

/** The worker fetches only our own pages and files. */
const POLICY = "default-src 'none'; connect-src 'self'"
/** Unregisters the browser's worker and deletes its caches. */
const FAREWELL = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
})()))
`

/**
 * Registers `/service-worker.js`. Browsers fetch it again with every page, so each build installs a new worker,
 * and OFFLINE_READING=0 removes all workers.
 */
export async function registerOffline(
  app: FastifyInstance,
  { config, folder, headers }: OfflineNeeds,
): Promise<void> {
  const worker = await readFile(join(folder, 'client/service-worker.js'), 'utf8').catch(() => null)
  const isWanted = config.OFFLINE_READING === '1' && worker !== null
  const script = isWanted
    ? `self.BUILD = ${JSON.stringify(basename(folder))};\n${worker}`
    : FAREWELL
  app.get('/service-worker.js', (_, reply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-cache', 'content-security-policy': POLICY })
      .type('text/javascript; charset=utf-8')
      .send(script),
  )
}
