/** What the server answers, so that a test can hold who may call each of it. */
import type { FastifyInstance } from 'fastify'

/**
 * Collects every method and address that is registered from now on, as `GET /api/lesson/{id}`. The HEAD that goes with
 * a GET and the preflight of other origins are not in it: they ask for nothing of their own.
 *
 * @returns the list, which grows until the server listens
 */
export function collectAddresses(app: FastifyInstance): readonly string[] {
  const addresses: string[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat().filter((name) => name !== 'OPTIONS')
    for (const name of methods) {
      if (name === 'HEAD' && (methods.includes('GET') || addresses.includes(`GET ${shown(url)}`)))
        continue
      addresses.push(`${name} ${shown(url)}`)
    }
  })
  return addresses
}

/** With parameters as the contract writes them. */
function shown(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}
