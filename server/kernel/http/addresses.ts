/** Lists the server's routes, so that a test can check who may call each of them. */
import type { FastifyInstance } from 'fastify'

/**
 * Collects every method and address registered from now on, such as `GET /api/lesson/{id}`. Leaves out the HEAD of
 * a GET and CORS preflights, which need no permission of their own. The list grows until the server listens.
 */
export function collectAddresses(app: FastifyInstance): readonly string[] {
  const addresses: string[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat().filter((name) => name !== 'OPTIONS')
    for (const name of methods) {
      if (
        name === 'HEAD' &&
        (methods.includes('GET') || addresses.includes(`GET ${toContractPath(url)}`))
      )
        continue
      addresses.push(`${name} ${toContractPath(url)}`)
    }
  })
  return addresses
}

/** Writes parameters as the contract does. */
function toContractPath(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}
