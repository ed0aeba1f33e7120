/** Tests the signals of a hub for observers and senders. */
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HttpTransportType } from '@microsoft/signalr'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { measureHub } from '../examples/prom-client.ts'
import { HubError, type HubDefinition } from '../src/hub.ts'
import type { HubServerOptions } from '../src/hub-server.ts'
import type { EndTold } from '../src/signals.ts'
import { buildClient, closeAfterEach, collect, negotiate } from '../testing/clients.ts'
import { listen } from '../testing/listener.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer } from '../testing/test-server.ts'

const definition: HubDefinition = {
  methods: {
    Id: (context) => context.connectionId,
    Refuse: () => {
      throw new HubError('no')
    },
    Fail: () => {
      throw new Error('broken')
    },
  },
  streams: { Count: () => [1, 2, 3] },
}
const closing = closeAfterEach()

async function serve(options: Partial<HubServerOptions>) {
  const server = await startTestServer({ definition, ...options })
  closing.push(server.close)
  return server
}

async function enter(url: string, transport = HttpTransportType.WebSockets) {
  const person = await listen(`${url}/testhub`, { transport })
  closing.push(() => person.connection.stop())
  return person
}

test('prom-client exports metrics: connections, messages, calls, queues and drops', async () => {
  const register = new Registry()
  const server = await serve({
    observer: measureHub(register, () => server.hub.load()),
    limits: { mostOutputBytes: 32 * 1024 * 1024, sendMs: 60_000 },
  })
  const page = createServer((_request, response) => {
    response.setHeader('content-type', register.contentType)
    void register.metrics().then((text) => response.end(text))
  }).listen(0, '127.0.0.1')
  await once(page, 'listening')
  closing.push(() => page.close())
  const { port } = page.address() as AddressInfo
  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    return answer.text()
  }
  const { connection } = await enter(server.url)
  await connection.invoke('refuse').catch(() => {})
  await connection.invoke('Fail').catch(() => {})
  await collect(connection, 'Count')
  const during = await scrape()
  expect(during).toContain('hub_connections{transport="WebSockets",protocol="json"} 1')
  expect(during).toContain('hub_messages_total{direction="in"} 4')
  expect(during).toContain('hub_messages_total{direction="out"} 7')
  expect(during).toMatch(/hub_message_bytes_total\{direction="in"\} [1-9]/)
  for (const [method, outcome] of [
    ['Id', 'answered'],
    ['Refuse', 'refused'],
    ['Fail', 'failed'],
    ['Count', 'answered'],
  ])
    expect(during).toContain(`hub_call_seconds_count{method="${method}",outcome="${outcome}"} 1`)
  expect(during).toContain('hub_waiting_bytes 0')
  expect(during).toContain('hub_waiting_calls 0')
  await connection.stop()
  await expect.poll(scrape).toContain('hub_connections{transport="WebSockets",protocol="json"} 0')
  expect(await scrape()).not.toContain('hub_drops_total{')

  // A frozen client accumulates queued output and is dropped beyond the limit.
  const proxy = await startTcpProxy(Number(new URL(server.url).port))
  closing.push(proxy.close)
  const slow = await enter(proxy.url)
  proxy.freeze()
  const pour = (most: number) => {
    for (let n = 0; n < most; n++)
      void server.hub.clients.client(slow.id).send('Said', 'x'.repeat(1024 * 1024))
  }
  pour(20)
  expect(await scrape()).toMatch(/hub_waiting_bytes [1-9]\d{6,}/)
  pour(40)
  await expect.poll(scrape).toContain('hub_drops_total{reason="slow"} 1')
  expect(await scrape()).toContain('hub_waiting_bytes 0')
})

test('an error in an observer is reported and has no other effect', async () => {
  const faults: string[] = []
  const broken = () => {
    throw new Error('observer')
  }
  const server = await serve({
    observer: { connected: broken, disconnected: broken, message: broken, called: broken },
    onFault: (_error, where) => {
      faults.push(where)
      throw new Error('and who hears of it too')
    },
  })
  const { connection, id } = await enter(server.url)
  expect(await connection.invoke('Id')).toBe(id)
  expect(new Set(faults)).toEqual(new Set(['observer']))
})

test('channels publish the same, and calls can be traced', async () => {
  const log: string[] = []
  const follow = (name: string) => {
    const record = (message: unknown) => log.push(`${name} ${JSON.stringify(message)}`)
    subscribe(`signalr-hub-server:${name}`, record)
    closing.push(() => unsubscribe(`signalr-hub-server:${name}`, record))
  }
  for (const name of ['connected', 'disconnected', 'called']) follow(name)
  const traced: string[] = []
  const channel = tracingChannel('signalr-hub-server:call')
  const events = {
    start: (message: unknown) => traced.push(`start ${(message as { method: string }).method}`),
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (message: unknown) => traced.push(`end ${(message as { method: string }).method}`),
    error: (message: unknown) => traced.push(`error ${(message as { method: string }).method}`),
  }
  channel.subscribe(events)
  closing.push(() => channel.unsubscribe(events))
  const server = await serve({})
  const { connection } = await enter(server.url)
  await connection.invoke('Fail').catch(() => {})
  await connection.stop()
  await expect.poll(() => log.map((line) => line.split(' ')[0])).toContain('disconnected')
  expect(log.filter((line) => line.startsWith('called'))).toHaveLength(2)
  expect(traced).toEqual(['start Id', 'end Id', 'start Fail', 'error Fail', 'end Fail'])
})

describe('sending more than a client consumes', () => {
  const flood = async () => {
    const ends: EndTold[] = []
    const server = await serve({
      observer: { disconnected: (end) => ends.push(end) },
      limits: { mostOutputBytes: 64 * 1024 * 1024, sendMs: 60_000, keepAliveMs: 200 },
    })
    const port = Number(new URL(server.url).port)
    const proxy = await startTcpProxy(port)
    closing.push(proxy.close)
    const slow = await enter(proxy.url)
    const quick = await enter(server.url)
    // The socket buffers hold a lot, which does not count as queued.
    proxy.delay(1500)
    for (let n = 0; n < 20; n++)
      void server.hub.clients.client(slow.id).send('Said', 'x'.repeat(1024 * 1024))
    expect(server.hub.load().waitingBytes).toBeGreaterThan(64 * 1024)
    let isThrough = false
    const sent = Promise.resolve(server.hub.clients.all().send('Said', 'x')).then(() => {
      isThrough = true
    })
    // The proxy soon accepts everything, so this checks immediately.
    await new Promise(setImmediate)
    expect(isThrough).toBe(false)
    // Other senders don't wait for that client.
    await server.hub.clients.client(quick.id).send('Said', 'y')
    await expect.poll(() => quick.received).toEqual(['x', 'y'])
    return { server, proxy, slow, sent, ends }
  }

  test('resolves when the client consumes again', async () => {
    const { server, slow, sent } = await flood()
    await sent
    expect(server.hub.load().waitingBytes).toBeLessThan(1024 * 1024)
    await expect.poll(() => slow.received.length).toBe(21)
  })

  test('resolves when the client disconnects', async () => {
    const { proxy, sent, ends } = await flood()
    proxy.cut()
    await sent
    await expect.poll(() => ends.at(-1)?.dropped).toBeNull()
  })
})

test('sending to a polling client resolves with its poll', async () => {
  const server = await serve({ limits: { closeMs: 100 } })
  const { connectionId, own } = await negotiate(`${server.url}/testhub`)
  await fetch(own)
  await fetch(own, { method: 'POST', body: '{"protocol":"json","version":1}\u001e' })
  await fetch(own)
  let isThrough = false
  const target = server.hub.clients.client(connectionId)
  const sent = Promise.resolve(target.send('Said', 'x'.repeat(100_000))).then(() => {
    isThrough = true
  })
  await new Promise(setImmediate)
  expect(isThrough).toBe(false)
  expect(await (await fetch(own)).text()).toContain('"Said"')
  await sent
})

test('sending with stateful reconnect resolves with the acknowledgement', async () => {
  const server = await serve({ limits: { replayBytes: 10_000 } })
  const builder = buildClient(`${server.url}/testhub`, HttpTransportType.WebSockets)
  const person = builder.withStatefulReconnect().build()
  closing.push(() => person.stop())
  await person.start()
  const target = server.hub.clients.client(String(await person.invoke('Id')))
  let isThrough = false
  const sent = Promise.resolve(target.send('Said', 'x'.repeat(20_000))).then(() => {
    isThrough = true
  })
  await new Promise(setImmediate)
  expect(isThrough).toBe(false)
  // The client acknowledges once per second.
  await sent
  expect(server.hub.size()).toBe(1)
})
