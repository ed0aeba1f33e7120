/** Long polling: frames are queued until the next GET. The client sends by POST. */
import type { ServerResponse } from 'node:http'
import type { Connection } from '../connections/connection.ts'
import type { Limits } from '../limits.ts'
import { DroppedError } from '../signals.ts'
import { endWithin } from './end-within.ts'
import type { Transport } from './transport.ts'

export interface PollTransport extends Transport {
  /**
   * Responds with queued frames, when some arrive, or empty after a timeout. A previous pending poll ends with
   * 204.
   */
  poll(response: ServerResponse): void
}

/** `onDone` is called after the client was notified of the end. */
export function createPollTransport(
  connection: Connection,
  limits: Limits,
  onDone: () => void,
): PollTransport {
  let frames: Buffer[] = []
  let bytes = 0
  let isBinary = false
  let ending = false
  let pending: ServerResponse | null = null
  let timer: NodeJS.Timeout | undefined

  const answer = (status: 200 | 204, body: Buffer | null) => {
    const response = pending
    pending = null
    clearTimeout(timer)
    if (response === null) return
    if (status === 204) response.writeHead(204).end()
    else {
      const type = isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8'
      response.writeHead(200, {
        'content-type': body === null ? 'text/plain; charset=utf-8' : type,
        'content-length': String(body?.length ?? 0),
      })
      endWithin(response, limits.drainMs)
      response.end(body)
    }
    expectPoll()
  }
  const expectPoll = () => {
    timer = setTimeout(() => {
      transport.destroy()
      connection.detach(transport, true, new DroppedError('silent', 'The client stopped polling.'))
    }, limits.pollGapMs)
    timer.unref()
  }
  const flush = () => {
    if (pending === null) return
    if (frames.length > 0) {
      const body = Buffer.concat(frames)
      frames = []
      bytes = 0
      answer(200, body)
      connection.relieved()
    } else if (ending) {
      answer(204, null)
      clearTimeout(timer)
      onDone()
    }
  }
  const transport: PollTransport = {
    name: 'LongPolling',
    supportsBinary: true,
    write: (frame, binary) => {
      isBinary = binary
      frames.push(frame)
      bytes += frame.length
      flush()
    },
    bufferedBytes: () => bytes,
    end: () => {
      ending = true
      flush()
    },
    destroy: () => {
      frames = []
      bytes = 0
      ending = true
      flush()
      clearTimeout(timer)
    },
    poll: (response) => {
      answer(204, null)
      clearTimeout(timer)
      pending = response
      response.on('close', () => {
        // The request was aborted, so that frames are queued for the next poll.
        if (pending !== response) return
        pending = null
        clearTimeout(timer)
        expectPoll()
      })
      timer = setTimeout(() => answer(200, null), limits.pollMs)
      timer.unref()
      flush()
    },
  }
  expectPoll()
  return transport
}
