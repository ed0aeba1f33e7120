/** A wire between client and server that a test can cut, for good or for a while. */
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy {
  readonly url: string
  /** Ends all that passes, without a goodbye. New connections pass. */
  cut(): void
  /** Nothing passes, but nobody is notified. */
  freeze(): void
  /** The same, and new connections go silent too, until `restore`. */
  swallow(): void
  /** New connections are refused until `restore`. */
  block(): void
  /**
   * Of the client that is the next to send this text nothing more arrives, from that text on; what is sent to it goes
   * on. Resolves when it has sent it.
   */
  hush(text: string): Promise<void>
  /** From now on whatever the target says arrives so many milliseconds later, in its order; 0: at once again. */
  delay(ms: number): void
  restore(): void
  readonly close: () => Promise<void>
}

/**
 * `target`: the port, asked for each connection, or the path of the socket where it leads. The function is long because
 * what is done to the wire shares its pairs; each deed is a short function of its own.
 */
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

/** Passes what comes until a piece is the last one: that, and what follows it, is dropped. */
function passUntil(isLast: (sent: Buffer) => boolean): Transform {
  let isOver = false
  return new Transform({
    transform: (sent: Buffer, _encoding, done) => {
      isOver ||= isLast(sent)
      done(null, isOver ? undefined : sent)
    },
  })
}

/** Passes what comes after a delay, which is asked for each piece, and nothing before what came earlier. */
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
