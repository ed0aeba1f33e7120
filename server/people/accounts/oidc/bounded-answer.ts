/** Fetches responses of other services with a bound on their size. */
import { Buffer } from 'node:buffer'

/** A provider's metadata, keys and tokens together have some tens of kilobytes. */
const MOST_BYTES = 512 * 1024

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string> | Headers
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** Bytes. */
  readonly most?: number
}

/** Follows no redirect and reads a bounded response. @throws errors of fetch, or for too many bytes */
export async function readBounded(
  url: string,
  { method, headers, body, signal, most = MOST_BYTES }: Asked,
): Promise<Response> {
  const answer = await fetch(url, {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...((typeof body === 'string' || body instanceof URLSearchParams) && { body }),
    redirect: 'manual',
    signal: signal ?? null,
  })
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > most) throw new Error('the answer is too long')
    pieces.push(piece)
  }
  const { status, headers: answered } = answer
  // The constructor of Response rejects a body for these statuses.
  const empty = [101, 204, 205, 304].includes(status)
  return new Response(empty ? null : Buffer.concat(pieces), { status, headers: answered })
}
