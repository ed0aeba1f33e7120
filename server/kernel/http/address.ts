/** Where a request comes from, for who reads it before the framework does. */
import type { IncomingMessage } from 'node:http'

/** The caller's address behind `proxies` trusted ones. */
export function addressOf(request: IncomingMessage, proxies: number): string {
  const socket = request.socket.remoteAddress ?? ''
  if (proxies === 0) return socket
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
  const chain = [
    socket,
    ...forwarded
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .toReversed(),
  ]
  return chain[Math.min(proxies, chain.length - 1)] ?? socket
}
