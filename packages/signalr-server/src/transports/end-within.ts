/** Ends answers that nobody reads. */
import type { ServerResponse } from 'node:http'

/** An answer that has been written must be taken by then; otherwise its connection is cut. */
export function endWithin(response: ServerResponse, ms: number): void {
  const timer = setTimeout(() => response.destroy(), ms)
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}
