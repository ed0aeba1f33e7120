/** Finds the caller's address, also for code that runs before the framework. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

type RequestHead = Pick<IncomingMessage, 'headers' | 'socket'>

/** Returns the caller's address behind `proxies` trusted proxies. */
export function addressOf(request: RequestHead, proxies: number): string {
  const socket = request.socket.remoteAddress ?? ''
  if (proxies === 0) return socket
  const chain = [socket, ...forwardedOf(request, socket).toReversed()]
  return chain[Math.min(proxies, chain.length - 1)] ?? socket
}

/** Rewrites X-Forwarded-For for the framework, which expects addresses without ports. */
export function normalizeForwarded(request: RequestHead): void {
  if (request.headers['x-forwarded-for'] === undefined) return
  const entries = forwardedOf(request, request.socket.remoteAddress ?? '')
  if (entries.length === 0) delete request.headers['x-forwarded-for']
  else request.headers['x-forwarded-for'] = entries.join(', ')
}

/** Lists the entries from left to right. A malformed entry becomes the address of the proxy that added it. */
function forwardedOf({ headers }: RequestHead, socket: string): string[] {
  const entries = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  let proxy = socket
  return entries
    .toReversed()
    .map((entry) => (proxy = readAddress(entry) ?? proxy))
    .toReversed()
}

/** Reads `203.0.113.7`, `203.0.113.7:50123`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:50123`. */
function readAddress(entry: string): string | null {
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry) ?? []
  if (inBrackets !== undefined) return isIP(inBrackets) === 6 ? inBrackets : null
  const address = v4 ?? entry
  return isIP(address) === 0 ? null : address
}
