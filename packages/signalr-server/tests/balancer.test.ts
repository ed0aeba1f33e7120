/** Two nodes with a real Redis, behind a load balancer that alternates between them. */
import { createServer, request as openRequest, type Server } from 'node:http'
import { HttpTransportType, type HubConnection } from '@microsoft/signalr'
import { beforeEach, expect, test } from 'vitest'
import { createRedisBackplane, createRedisLink } from '../src/redis.ts'
import { slotOf } from '../src/redis/slots.ts'
import { buildClient, closeAfterEach, TRANSPORTS } from '../testing/clients.ts'
import { startRedisServers, type RedisServers } from '../testing/redis-servers.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let redis: RedisServers
let nodes: TestServer[]
let balancer: { url: string; server: Server }
const closing = closeAfterEach()

beforeEach(async () => {
  redis = await startRedisServers('single')
  closing.push(() => redis.close())
  nodes = [await startNode(), await startNode()]
  balancer = await startBalancer(() => nodes)
})

async function startNode(): Promise<TestServer> {
  // The node's address must be known before it listens, so a proxy in front of it starts first.
  let port = 0
  const front = await startTcpProxy(() => port)
  const link = createRedisLink({ client: redis.connect(), address: front.url, prefix: 'test' })
  await link.settle(5000)
  const node = await startTestServer({
    backplane: createRedisBackplane({ link, namespace: 'hub' }),
  })
  port = Number(new URL(node.url).port)
  closing.push(front.close, () => link.close(), node.close)
  return node
}

/** Alternates between the nodes for each request. */
async function startBalancer(choose: () => readonly TestServer[]) {
  let turn = 0
  const next = () => {
    turn += 1
    const among = choose()
    return new URL(among[turn % among.length]?.url ?? '')
  }
  const server = createServer((request, response) => {
    const { hostname, port } = next()
    const { url, method, headers } = request
    const there = openRequest({ hostname, port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    there.on('error', () => response.destroy())
    response.on('close', () => there.destroy())
    request.pipe(there)
  })
  server.on('upgrade', (request, socket, head) => {
    const { hostname, port } = next()
    const there = openRequest({ hostname, port, path: request.url, headers: request.headers })
    there.on('upgrade', (answer, other, otherHead) => {
      const lines = answer.rawHeaders.map((text, place) =>
        place % 2 === 0 ? `\r\n${text}: ` : text,
      )
      socket.write(`HTTP/1.1 101 Switching Protocols${lines.join('')}\r\n\r\n`)
      other.write(head)
      socket.write(otherHead)
      other.pipe(socket).pipe(other)
      other.on('error', () => socket.destroy())
      // Reads the rest, so that the final close arrives.
      other.on('close', () => socket.resume())
    })
    there.on('response', (answer) => socket.end(`HTTP/1.1 ${answer.statusCode} No\r\n\r\n`))
    there.on('error', () => socket.destroy())
    socket.on('error', () => there.destroy())
    there.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${port}`, server }
}

async function connect(transport: HttpTransportType): Promise<HubConnection> {
  const builder = buildClient(`${balancer.url}/testhub`, transport)
  const connection = builder.withAutomaticReconnect([0, 50, 100, 200]).build()
  closing.push(() => connection.stop())
  await connection.start()
  return connection
}

test.each(TRANSPORTS)('every node accepts every request over %s', async (_name, transport) => {
  const connections = await Promise.all([1, 2, 3, 4].map(() => connect(transport)))
  for (const connection of connections)
    for (let number = 0; number < 5; number++)
      expect(await connection.invoke('Echo', number)).toBe(number)
  expect(nodes.map((node) => node.hub.size()).reduce((sum, size) => sum + size)).toBe(4)
})

test('draining one node moves its clients to the other', async () => {
  const [near, far] = nodes
  const connections = await Promise.all(
    Array.from({ length: 6 }, () => connect(HttpTransportType.WebSockets)),
  )
  const others = nodes
  nodes = far === undefined ? [] : [far]
  await near?.hub.drain()
  await expect.poll(() => far?.hub.size()).toBe(6)
  for (const connection of connections) {
    // The server counts a connection before its client has received the handshake response.
    await expect.poll(() => connection.state).toBe('Connected')
    expect(await connection.invoke('Echo', 1)).toBe(1)
  }
  nodes = others
})

test('without Redis every node still accepts every request', async () => {
  await redis.kill()
  const connections = await Promise.all(TRANSPORTS.map(([, transport]) => connect(transport)))
  for (const connection of connections)
    for (let number = 0; number < 3; number++)
      expect(await connection.invoke('Echo', number)).toBe(number)
})

test('losing and regaining Redis is reported once each', async () => {
  const notices: string[] = []
  const link = createRedisLink({ client: redis.connect(), address: 'http://127.0.0.1:9' })
  link.onAway(() => notices.push('away'))
  link.onBack(() => notices.push('back'))
  closing.push(() => link.close())
  await link.settle(5000)
  await redis.kill()
  await expect.poll(() => notices).toEqual(['away'])
  for (let number = 0; number < 1000; number += 1) link.publish('none', new Uint8Array(10_000))
  await expect.poll(() => link.publish('none', new Uint8Array(1))).toBe(false)
  await link.subscribe('some', () => {})
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(notices).toEqual(['away'])
  await redis.restart()
  await expect.poll(() => notices).toEqual(['away', 'back'])
  redis.freeze()
  await expect.poll(() => notices).toEqual(['away', 'back', 'away'])
  await expect(link.check()).rejects.toThrow('away')
  redis.thaw()
  await expect.poll(() => notices).toEqual(['away', 'back', 'away', 'back'])
  await link.check()
})

test('a link also delivers other messages than the hub’s, with their sender', async () => {
  const open = async () => {
    const link = createRedisLink({ client: redis.connect(), address: 'http://127.0.0.1:9' })
    closing.push(() => link.close())
    await link.settle(5000)
    return link
  }
  const [one, other] = [await open(), await open()]
  const received: string[] = []
  for (const link of [one, other])
    await link.subscribe('changes', (message, from) =>
      received.push(`${message.toString()} ${from === link.node ? 'own' : 'other'}`),
    )
  expect(one.publish('changes', Buffer.from('word'))).toBe(true)
  await expect.poll(() => received.toSorted()).toEqual(['word other', 'word own'])
})

test('a primary that refuses writes still delivers messages, and its nodes can still be found', async () => {
  const client = redis.connect()
  const link = createRedisLink({ client, address: 'http://127.0.0.1:9' })
  closing.push(() => link.close())
  const backplane = createRedisBackplane({ link })
  await link.settle(5000)
  await client.config('SET', 'min-replicas-to-write', '1')
  await expect.poll(() => link.refusal()?.message).toMatch('NOREPLICAS')
  expect(link.isConnected()).toBe(true)
  await expect(link.check()).rejects.toThrow('NOREPLICAS')
  expect(await backplane.findNode('expired', 'http://believed')).toBe('http://believed')
  await client.config('SET', 'min-replicas-to-write', '0')
  await expect.poll(() => link.refusal()).toBe(null)
  expect(await backplane.findNode('gone', 'http://believed')).toBe(null)
})

test('cluster slots match the specification', () => {
  expect(slotOf('123456789')).toBe(0x31c3)
  expect(slotOf('{user1000}.following')).toBe(slotOf('user1000'))
  expect(slotOf('foo{}{bar}')).not.toBe(slotOf('bar'))
  expect(slotOf('foo{{bar}}zap')).toBe(slotOf('{bar'))
})
