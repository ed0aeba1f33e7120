/** Returns answers as they were sent, because `fetch` would decompress them. */
import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export function getRaw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, (answer) => {
      const { statusCode: status = 0, headers: given } = answer
      buffer(answer).then((bytes) => resolve({ status, headers: given, bytes }), reject)
    }).once('error', reject)
  })
}
