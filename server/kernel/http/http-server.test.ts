import { connect, type AddressInfo, type Socket } from 'node:net'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createBodies } from '#server/kernel/http/bodies.ts'
import { createHttpServer, limitConnections } from '#server/kernel/http/http-server.ts'
import { refuseMalformed } from '#server/kernel/http/raw-refusal.ts'

/** In ms: a twentieth of the product's times. */
const IDLE = 500
const HEAD = 750
const TOTAL = 3000
const GAP = 500
const STALL = 1500
/** More bytes than the buffers of both sides hold. */
const LARGE = 64 * 1024 * 1024

/**
 * Ends connections only for a late head, a reader that takes nothing, or a body with gaps four times as long: on a
 * busy machine the bytes of a slow body have long gaps, and the other side reads much later.
 */
const bodies = createBodies({ gapMs: GAP, totalMs: TOTAL })
const server = createHttpServer(
  (request, response) => {
    bodies.watch(request, response)
    if (request.url === '/poll') {
      // Does nothing for a long time, like a long poll or an event stream.
      setTimeout(() => response.end('late'), 4 * IDLE)
      return
    }
    if (request.url === '/early') {
      response.end('early')
      return
    }
    request.resume().once('end', () => response.end('read'))
  },
  { idle: IDLE, spare: 0, head: HEAD, stall: STALL, leastRate: 1, look: 50 },
)
server.on('clientError', refuseMalformed)
const sockets = new WebSocketServer({ server })
sockets.on('connection', (socket) => {
  socket.on('message', (said: Buffer) => socket.send(said.toString()))
})
const port = await listen(server)
const patientBodies = createBodies({ gapMs: 4 * GAP, totalMs: 10 * TOTAL })
const patientlyIdle = createHttpServer(
  (request, response) => {
    patientBodies.watch(request, response)
    if (request.url === '/read') request.resume().once('end', () => response.end('read'))
    else response.end(request.url === '/large' ? Buffer.alloc(LARGE, 'x') : undefined)
  },
  { idle: 60_000, spare: 0, head: HEAD, stall: STALL, leastRate: 1, look: 50 },
)
patientlyIdle.on('clientError', refuseMalformed)
const patientPort = await listen(patientlyIdle)
afterAll(() => {
  for (const each of [server, patientlyIdle]) {
    each.closeAllConnections()
    each.close()
  }
})

async function listen(on: Server): Promise<number> {
  await new Promise<void>((resolve) => on.listen(0, '127.0.0.1', resolve))
  return (on.address() as AddressInfo).port
}

/** Returns what comes back until the connection ends, and after how many ms. */
function exchange(
  begin: (socket: Socket) => void,
  to = port,
): Promise<{ answer: string; after: number }> {
  const begun = performance.now()
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(to, '127.0.0.1', () => begin(socket))
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ answer, after: performance.now() - begun }))
  })
}

function sendRepeatedly(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.once('close', () => clearInterval(timer))
}

// They spend most of their time waiting, so they run concurrently.
describe.concurrent('a connection ends', () => {
  test('that sends nothing', async () => {
    const { answer, after } = await exchange(() => undefined)
    expect(answer).toBe('')
    expect(after).toBeLessThan(20 * IDLE)
  })

  test('that sends nothing after its first answer', async () => {
    const { answer, after } = await exchange((socket) =>
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'),
    )
    expect(answer).toContain('200 OK')
    expect(after).toBeGreaterThan(IDLE - 50)
    expect(after).toBeLessThan(20 * IDLE)
  })

  test('whose head arrives byte by byte', async () => {
    const { answer, after } = await exchange((socket) => {
      socket.write('GET / HTTP/1.1\r\nx-slow: ')
      sendRepeatedly(socket, 'a', 50)
    }, patientPort)
    expect(answer).toContain('HTTP/1.1 408')
    expect(after).toBeLessThan(20 * HEAD)
  })

  test('whose body arrives byte by byte, when its time is over', async () => {
    const { answer, after } = await exchange((socket) => {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n')
      sendRepeatedly(socket, 'a', 50)
    })
    expect(answer).toContain('HTTP/1.1 408')
    expect(answer).toContain('urn:knowledge-bazaar:tooSlow')
    expect(after).toBeGreaterThan(TOTAL - 100)
  })

  test('whose long body is answered early, and the answer announces it', async () => {
    const { answer, after } = await exchange((socket) => {
      socket.write('POST /early HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n')
      sendRepeatedly(socket, 'a'.repeat(10_000), 50)
    })
    expect(answer).toContain('200 OK')
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer).toMatch(/early/)
    expect(after).toBeLessThan(TOTAL)
  })

  test('whose body stops in the middle', async () => {
    const { answer, after } = await exchange((socket) =>
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nsome'),
    )
    expect(answer).toContain('HTTP/1.1 408')
    expect(after).toBeLessThan(TOTAL)
  })
})

/** Asks for a large answer on a connection that doesn't read, and returns both of its sides. */
async function askLarge(
  from = patientlyIdle,
  at = patientPort,
): Promise<{ reader: Socket; served: Socket }> {
  const connected = once(from, 'connection')
  const reader = connect(at, '127.0.0.1').pause()
  reader.on('error', () => undefined)
  const [served] = (await connected) as [Socket]
  reader.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  return { reader, served }
}

function* pieces(): Generator<Buffer> {
  for (let sent = 0; sent < LARGE; sent += 64 * 1024) yield Buffer.alloc(64 * 1024)
}

describe('a reader', () => {
  test('that reads nothing of its answer is disconnected, and the answer is freed', async () => {
    const begun = performance.now()
    const { reader, served } = await askLarge()
    await once(served, 'close')
    expect(performance.now() - begun).toBeGreaterThan(STALL - 50)
    expect(performance.now() - begun).toBeLessThan(20 * STALL)
    reader.destroy()
  })

  test('that reads a little and stops again is disconnected too', async () => {
    const { reader, served } = await askLarge()
    reader.once('data', () => reader.pause())
    reader.resume()
    await once(served, 'close')
    expect(reader.bytesRead).toBeLessThan(LARGE)
    reader.destroy()
  })

  test.each([
    ['in one piece', () => Buffer.alloc(LARGE)],
    ['piece by piece', () => Readable.from(pieces(), { objectMode: false })],
  ])('that keeps reading too slowly is disconnected, %s', async (_, content) => {
    const leastRate = LARGE / 3
    const times = { idle: 60_000, spare: 0, head: HEAD, stall: 1000, leastRate, look: 50 }
    const impatient = createHttpServer((_request, response) => {
      const body = content()
      if (body instanceof Readable) body.pipe(response)
      else response.end(body)
    }, times)
    const { reader, served } = await askLarge(impatient, await listen(impatient))
    reader.on('data', () => {
      reader.pause()
      setTimeout(() => reader.resume(), 25)
    })
    reader.resume()
    await once(served, 'close')
    expect(reader.bytesRead).toBeLessThan(LARGE)
    reader.destroy()
    impatient.close()
  })

  test('that reads slowly but steadily gets everything, and can send another request', async () => {
    const { reader, served } = await askLarge()
    const begun = performance.now()
    let received = 0
    reader.on('data', (piece: Buffer) => {
      received += piece.length
      reader.pause()
      setTimeout(() => reader.resume(), received < 4 * LARGE ? 2 : 0)
    })
    reader.resume()
    await expect.poll(() => received, { timeout: 60_000 }).toBeGreaterThan(LARGE)
    expect(performance.now() - begun).toBeGreaterThan(STALL)
    expect(served.destroyed).toBe(false)
    const before = received
    reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => received).toBeGreaterThan(before)
    reader.destroy()
  }, 90_000)
})

test('one network gets a limited number of connections', async () => {
  const crowded = createServer()
  limitConnections(crowded, 2)
  const to = await listen(crowded)
  const open = [connect(to, '127.0.0.1'), connect(to, '127.0.0.1')]
  await Promise.all(open.map((socket) => once(socket, 'connect')))
  const third = connect(to, '127.0.0.1')
  await once(third, 'close')
  open[0]?.destroy()
  // Another address of the same machine counts as another network.
  const elsewhere = connect({ port: to, host: '127.0.0.1', localAddress: '127.0.0.2' })
  await once(elsewhere, 'connect')
  elsewhere.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(crowded, 'request')
  for (const socket of [...open, elsewhere]) socket.destroy()
  crowded.close()
})

describe.concurrent('a connection goes on', () => {
  test('longer than the keep-alive timeout that clients see', async () => {
    const times = { idle: 10_000, spare: 9000, head: HEAD, stall: STALL, leastRate: 1, look: 50 }
    const patient = createHttpServer((_request, response) => response.end('here'), times)
    const socket = connect(await listen(patient), '127.0.0.1')
    const ask = async () => {
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      const [answer] = (await once(socket, 'data')) as [Buffer]
      return answer.toString('latin1')
    }
    expect(await ask()).toMatch(/^keep-alive: timeout=1\r$/im)
    await pause(1500)
    expect(await ask()).toContain('200 OK')
    socket.destroy()
    patient.close()
  })

  test('that waits long for its answer', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/poll`)
    expect(await answer.text()).toBe('late')
  })

  test('whose body arrives slowly but in time', async () => {
    const { answer } = await exchange((socket) => {
      const head = 'host: x\r\nconnection: close\r\ncontent-length: 8'
      socket.write(`POST /read HTTP/1.1\r\n${head}\r\n\r\n`)
      sendRepeatedly(socket, 'a', GAP)
    }, patientPort)
    expect(answer).toContain('200 OK')
  })

  test('that became a WebSocket, even when idle', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`)
    await new Promise((resolve) => socket.once('open', resolve))
    await pause(4 * IDLE)
    const heard = new Promise((resolve) => socket.once('message', resolve))
    socket.send('still here')
    expect(String(await heard)).toBe('still here')
    socket.terminate()
  })
})

test('a connection whose requests are answered early continues and collects no listeners', async () => {
  const connected = once(server, 'connection')
  const socket = connect(port, '127.0.0.1')
  const [kept] = (await connected) as [Socket]
  const listeners: number[] = []
  for (let asked = 0; asked < 20; asked += 1) {
    socket.write('POST /early HTTP/1.1\r\nhost: x\r\ncontent-length: 8\r\n\r\nsome')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString('latin1')).toContain('200 OK')
    listeners.push(kept.listenerCount('close'))
    socket.write('more')
  }
  expect(Math.max(...listeners)).toBe(listeners[0])
  socket.destroy()
})
