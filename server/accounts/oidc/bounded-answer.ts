/** Fetches what another service answers: never more than it has to say, and from nobody else. */
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

/** `fetch` that follows no redirect and reads a bounded answer. @throws what fetch throws, and for more bytes */
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
  // An answer of these numbers has no body, and none can be made with one.
  const empty = [101, 204, 205, 304].includes(status)
  return new Response(empty ? null : Buffer.concat(pieces), { status, headers: answered })
}
