/** The service worker's script, at an address of its own: which build it belongs to, or that it has to go. */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/kernel/config.ts'

export interface OfflineNeeds {
  readonly config: Pick<Config, 'OFFLINE_READING'>
  /** The build that is served. */
  readonly folder: string
  /** Of every answer that is no page. */
  readonly headers: Readonly<Record<string, string>>
}

/** Of all that the worker does it fetches our own pages and files alone. */
const POLICY = "default-src 'none'; connect-src 'self'"
/** Ends the worker that a browser has, and takes away all that it stored. */
const FAREWELL = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name)
  await self.registration.unregister()
})()))
`

/**
 * Registers `/service-worker.js`. Browsers ask for it again with every page of whoever has one, so a build that differs
 * is a new worker, and OFFLINE_READING=0 ends all that there are.
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
