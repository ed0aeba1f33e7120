/** Sends and returns what `fetch` would change: paths that it normalises, hosts, and compressed answers. */
import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Sends the path as it is written. */
export function sendRaw(
  site: string,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(site)
    request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      const { statusCode: status = 0, headers: given } = answer
      buffer(answer).then((bytes) => resolve({ status, headers: given, bytes }), reject)
    })
      .once('error', reject)
      .end(body)
  })
}

export function getRaw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  const { origin, pathname, search } = new URL(url)
  return sendRaw(origin, pathname + search, headers)
}
