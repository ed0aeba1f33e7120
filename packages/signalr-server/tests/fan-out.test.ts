/** A value that one protocol can't encode ends the connections with that protocol; everybody else receives it. */
import { expect, test } from 'vitest'
import type { HubDefinition } from '../src/hub.ts'
import type { HubServerOptions } from '../src/hub-server.ts'
import { buildClient, closeAfterEach } from '../testing/clients.ts'
import { createMemoryBus } from '../testing/memory-bus.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

type ProtocolName = 'json' | 'messagepack'

/** JSON calls its toJSON, which throws; MessagePack only reads its own fields. */
class Unreadable {
  readonly n = 1
  toJSON(): never {
    throw new Error('not to be read')
  }
}
const VALUES = { json: () => new Unreadable(), messagepack: () => ({ n: 1, run: () => 1 }) }

const definition: HubDefinition = {
  methods: {
    Id: (context) => context.connectionId,
    Join: (context) => context.join('room'),
    SayToOthers: (context, protocol) =>
      void context.othersInGroup('room').send('Said', VALUES[protocol as ProtocolName]()),
  },
}

const closing = closeAfterEach()

async function serve(options: Partial<HubServerOptions> = {}) {
  const faults: string[] = []
  const server = await startTestServer({
    definition,
    authenticate: () => Promise.resolve({ id: 'ann' }),
    onFault: (_error, where) => faults.push(where),
    ...options,
  })
  closing.push(server.close)
  return { server, faults }
}

async function enter({ url }: TestServer, protocol: ProtocolName) {
  const connection = buildClient(`${url}/testhub`, {}, protocol).build()
  const received: unknown[] = []
  connection.on('Said', (value) => received.push(value))
  closing.push(() => connection.stop())
  await connection.start()
  await connection.invoke('Join')
  return { connection, received, protocol, id: await connection.invoke<string>('Id') }
}

const MIXED = ['json', 'messagepack', 'json', 'messagepack'] as const
const ways = (hub: TestServer['hub'], ids: readonly string[]) => ({
  all: hub.clients.all(),
  group: hub.clients.group('room'),
  groups: hub.clients.groups(['room', 'empty']),
  user: hub.clients.user('ann'),
  'this node': hub.clients.userHere('ann'),
  list: hub.clients.clients(ids),
})

test.each(
  (['all', 'group', 'groups', 'user', 'this node', 'list'] as const).flatMap((way) => [
    [way, 'json'] as const,
    [way, 'messagepack'] as const,
  ]),
)('to %s: what %s can not encode reaches the others', async (way, protocol) => {
  const { server, faults } = await serve()
  const people = []
  for (const each of MIXED) people.push(await enter(server, each))
  const ids = people.map(({ id }) => id)
  await ways(server.hub, ids)[way].send('Said', VALUES[protocol]())
  for (const { connection, received, protocol: own } of people)
    if (own === protocol) await expect.poll(() => connection.state).toBe('Disconnected')
    else {
      await expect.poll(() => received).toHaveLength(1)
      expect(await connection.invoke('Id')).toEqual(expect.any(String))
    }
  expect(faults).toEqual(['send'])
})

test('a caller gets a result even if others can not receive its message, and a disconnected client reconnects', async () => {
  const { server } = await serve()
  const caller = await enter(server, 'json')
  const reader = await enter(server, 'messagepack')
  const other = await enter(server, 'json')
  const ended = new Promise<Error | undefined>((resolve) => reader.connection.onclose(resolve))
  await caller.connection.invoke('SayToOthers', 'messagepack')
  await expect.poll(() => other.received).toEqual([{ n: 1 }])
  expect((await ended)?.message).toContain('Connection closed with an error.')
  await reader.connection.start()
  expect(await reader.connection.invoke('Id')).not.toBe(reader.id)
})

test('a message that no recipient can receive is the sender’s fault, and all stay connected', async () => {
  const { server, faults } = await serve()
  const people = [await enter(server, 'json'), await enter(server, 'json')]
  expect(() => server.hub.clients.all().send('Said', new Unreadable())).toThrow('not to be read')
  const [caller] = people
  await expect(caller?.connection.invoke('SayToOthers', 'json')).rejects.toThrow('not to be read')
  for (const { connection } of people) expect(await connection.invoke('Id')).toBeTruthy()
  expect(faults).toEqual(['SayToOthers'])
})

test('recipients that can not receive a message do not keep it from other nodes', async () => {
  const bus = createMemoryBus()
  const { server: near } = await serve({ backplane: bus.join('near') })
  const { server: far } = await serve({ backplane: bus.join('far') })
  const lost = await enter(near, 'messagepack')
  const reached = [await enter(far, 'json'), await enter(far, 'messagepack')]
  near.hub.clients.group('room').send('Said', VALUES.messagepack())
  const ids = [lost, ...reached].map(({ id }) => id)
  near.hub.clients.clients(ids).send('Said', VALUES.messagepack())
  for (const { received } of reached)
    await expect.poll(() => received).toEqual([{ n: 1 }, { n: 1 }])
  await expect.poll(() => lost.connection.state).toBe('Disconnected')
})
