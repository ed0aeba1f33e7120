import type { ServerResponse } from 'node:http'

/** Destroys the connection if a finished response is not consumed in time. */
export function endWithin(response: ServerResponse, ms: number): void {
  const timer = setTimeout(() => response.destroy(), ms)
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}
