/** A proxy between client and server whose connections a test can cut, delay or freeze. */
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy {
  readonly url: string
  /** Destroys all connections. New ones work. */
  cut(): void
  /** Stops forwarding without closing connections. */
  freeze(): void
  /** Also stops forwarding for new connections, until `restore`. */
  swallow(): void
  /** Refuses new connections until `restore`. */
  block(): void
  /**
   * Blocks the direction from the client for the next client that sends this text, starting with the text. The
   * other direction continues. Resolves when the text was sent.
   */
  hush(text: string): Promise<void>
  /**
   * Delays everything that the target sends from now on by this time in ms, preserving its order. 0 removes the
   * delay.
   */
  delay(ms: number): void
  restore(): void
  readonly close: () => Promise<void>
}

/** `target` is the port, called for each connection, or the path of a socket. */
export async function startTcpProxy(target: number | string | (() => number)): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let isBlocked = false
  let swallows = false
  let awaited: { readonly text: string; readonly seen: () => void } | null = null
  let delayMs = 0
  const server = createServer((near) => {
    if (isBlocked) {
      near.destroy()
      return
    }
    const far =
      typeof target === 'string'
        ? connect(target)
        : connect(typeof target === 'number' ? target : target(), '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) {
      socket.on('error', end)
      socket.on('close', end)
    }
    if (swallows) return
    const gate = passUntil((sent) => {
      if (awaited === null || !sent.includes(awaited.text)) return false
      awaited.seen()
      awaited = null
      return true
    })
    near.pipe(gate).pipe(far)
    far.pipe(passLater(() => delayMs)).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const cut = () => {
    for (const [near, far] of pairs) {
      near.destroy()
      far.destroy()
    }
  }
  const freeze = () => {
    for (const [near, far] of pairs) {
      near.unpipe()
      far.unpipe()
      near.pause()
      far.pause()
    }
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    freeze,
    swallow: () => {
      swallows = true
      freeze()
    },
    block: () => {
      isBlocked = true
    },
    hush: (text) =>
      new Promise((seen) => {
        awaited = { text, seen }
      }),
    delay: (ms) => {
      delayMs = ms
    },
    restore: () => {
      isBlocked = false
      swallows = false
    },
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Forwards data up to a certain piece, and drops that and everything after it. */
function passUntil(isLast: (sent: Buffer) => boolean): Transform {
  let isOver = false
  return new Transform({
    transform: (sent: Buffer, _encoding, done) => {
      isOver ||= isLast(sent)
      done(null, isOver ? undefined : sent)
    },
  })
}

/** Forwards data after a delay, called for each piece, and preserves the order. */
function passLater(delayMs: () => number): Transform {
  const waiting: Buffer[] = []
  const gate: Transform = new Transform({
    transform: (sent: Buffer, _encoding, done) => {
      if (waiting.length === 0 && delayMs() === 0) return done(null, sent)
      waiting.push(sent)
      setTimeout(() => {
        const next = waiting.shift()
        if (!gate.destroyed && !gate.writableEnded) gate.push(next)
      }, delayMs())
      done()
    },
  })
  return gate
}
