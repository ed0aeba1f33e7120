/** Tests all kinds of recipients on one node and across two. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import { subpathOf } from '../src/connections/connection-server.ts'
import { HubError, type HubDefinition } from '../src/hub.ts'
import { createHubServer } from '../src/hub-server.ts'
import { messagePackCodec } from '../src/messagepack.ts'
import { closeAfterEach } from '../testing/clients.ts'
import { listen, type Listener } from '../testing/listener.ts'
import { createMemoryBus, type MemoryBus } from '../testing/memory-bus.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const definition: HubDefinition = {
  methods: {
    Id: (context) => context.connectionId,
    Join: (context, group) => context.join(String(group)),
    SayToOthers: (context, word) => void context.others.send('Said', word),
    SayToOthersIn: (context, group, word) =>
      void context.othersInGroup(String(group)).send('Said', word),
    SayToAll: (context, word) => void context.clients.all().send('Said', word),
  },
}

const closing = closeAfterEach()
let bus: MemoryBus
let near: TestServer
let far: TestServer
let people: Listener[]

async function startNode(name: string, more: object = {}): Promise<TestServer> {
  const node = await startTestServer({
    definition,
    backplane: bus.join(name),
    authenticate: (_request, token) => Promise.resolve(token === null ? null : { id: token }),
    ...more,
  })
  closing.push(node.close)
  return node
}

async function enter(node: TestServer, user: string): Promise<Listener> {
  const person = await listen(`${node.url}/testhub`, { accessTokenFactory: () => user })
  closing.push(() => person.connection.stop())
  return person
}

beforeEach(async () => {
  bus = createMemoryBus()
  near = await startNode('near')
  far = await startNode('far')
  // Two on each node: all except the last are in `most`, the last two in `late`.
  people = [
    await enter(near, 'ann'),
    await enter(near, 'bob'),
    await enter(far, 'cid'),
    await enter(far, 'dora'),
  ]
  for (const person of people.slice(0, 3)) await person.connection.invoke('Join', 'most')
  for (const person of people.slice(2)) await person.connection.invoke('Join', 'late')
})

/** Returns what each client has received, once all messages have arrived. */
async function readReceived(): Promise<string[]> {
  const end = `end ${Math.random()}`
  for (const node of [near, far]) await node.hub.clients.all().send('Said', end)
  const isEnd = (word: unknown) => word === end
  for (const person of people)
    await expect.poll(() => person.received.filter(isEnd).length, { interval: 5 }).toBe(2)
  return people.map((person) =>
    person.received.filter((word) => !String(word).startsWith('end')).join(' '),
  )
}

const idOf = (place: number) => people[place]?.id ?? ''

test('others are everybody except the caller', async () => {
  await people[0]?.connection.invoke('SayToOthers', 'hi')
  expect(await readReceived()).toEqual(['', 'hi', 'hi', 'hi'])
})

test('the others of a group are its members except the caller', async () => {
  await people[2]?.connection.invoke('SayToOthersIn', 'most', 'hi')
  expect(await readReceived()).toEqual(['hi', 'hi', '', ''])
})

test('a method can send to the same recipients as the hub', async () => {
  await people[3]?.connection.invoke('SayToAll', 'hi')
  expect(await readReceived()).toEqual(['hi', 'hi', 'hi', 'hi'])
})

test('all except some, and a group except some, on any node', async () => {
  await near.hub.clients.allExcept([idOf(0), idOf(2)]).send('Said', 'a')
  await near.hub.clients.groupExcept('most', [idOf(1), idOf(2)]).send('Said', 'b')
  await near.hub.clients.groupExcept('most', []).send('Said', 'c')
  expect(await readReceived()).toEqual(['b c', 'a c', 'c', 'a'])
})

test('a member of two groups gets a message once', async () => {
  await near.hub.clients.groups(['most', 'late', 'most']).send('Said', 'hi')
  await near.hub.clients.groups(['late']).send('Said', 'late')
  await far.hub.clients.groups([]).send('Said', 'nobody')
  expect(await readReceived()).toEqual(['hi', 'hi', 'hi late', 'hi late'])
})

test('several users and several connections', async () => {
  await near.hub.clients.users(['ann', 'dora', 'nobody']).send('Said', 'u')
  await near.hub.clients.clients([idOf(1), idOf(2), idOf(3), idOf(1), 'x']).send('Said', 'c')
  await near.hub.clients.clients([idOf(2)]).send('Said', 'one')
  expect(await readReceived()).toEqual(['u', 'c', 'c one', 'u c'])
})

test('a connection on any node can be added to a group from outside and removed', async () => {
  for (const place of [0, 3]) expect(await near.hub.groups.add(idOf(place), 'made')).toBe(true)
  await far.hub.clients.group('made').send('Said', 'in')
  await readReceived()
  for (const place of [0, 3]) expect(await near.hub.groups.remove(idOf(place), 'made')).toBe(true)
  await far.hub.clients.group('made').send('Said', 'out')
  expect(await readReceived()).toEqual(['in', '', '', 'in'])
  expect(bus.channelsOf('far')).not.toContain('group:made')
})

test('an unknown connection can not join a group', async () => {
  const alone = await startTestServer({ definition })
  closing.push(alone.close)
  expect(await alone.hub.groups.add('nobody', 'made')).toBe(false)
  const hasty = await startNode('hasty', { limits: { answerMs: 100 } })
  await expect(hasty.hub.groups.add('nobody', 'made')).rejects.toThrow(HubError)
})

test('a client on another node is called without a time limit', async () => {
  const caller = near.hub.clients.client(idOf(3))
  people[3]?.connection.on('Age', () => 7)
  people[3]?.connection.on('Never', () => new Promise(() => {}))
  expect(await caller.invoke('Age')).toBe(7)
  await expect(caller.invokeWithin({ timeoutMs: 50 }, 'Never')).rejects.toThrow(HubError)
  const signal = AbortSignal.timeout(50)
  await expect(caller.invokeWithin({ signal }, 'Never')).rejects.toThrow('timeout')
  await expect(caller.invokeWithin({ signal }, 'Age')).rejects.toBe(signal.reason)
})

test('a client on this node is called without a time limit', async () => {
  const caller = near.hub.clients.client(idOf(0))
  people[0]?.connection.on('Never', () => new Promise(() => {}))
  await expect(caller.invokeWithin({ timeoutMs: 50 }, 'Never')).rejects.toThrow(
    'The client did not answer in time.',
  )
  const aborting = new AbortController()
  const asked = caller.invokeWithin({ signal: aborting.signal }, 'Never')
  aborting.abort(new Error('enough'))
  await expect(asked).rejects.toThrow('enough')
  expect(await people[0]?.connection.invoke('Id')).toBe(idOf(0))
})

test('a single node reports immediately that a connection does not exist', async () => {
  const alone = await startTestServer({ definition })
  closing.push(alone.close)
  await expect(alone.hub.clients.client('nobody').invoke('Age')).rejects.toThrow('not there')
})

test.each([
  ['JSON', {}],
  ['MessagePack', { betweenNodes: messagePackCodec }],
])('bytes, dates and unusual names are preserved between nodes as %s', async (_name, more) => {
  const [one, two] = [await startNode('one', more), await startNode('two', more)]
  const person = await enter(two, 'eve')
  await enter(one, 'fay')
  const value = { $bytes: 'no', $$time: 1, $time: { deep: null }, list: [1, [true]] }
  await one.hub.clients.all().send('Said', value)
  await one.hub.clients.all().send('Said', [new Uint8Array([1, 2]), new Date(0)])
  await expect.poll(() => person.received).toEqual([value, ['AQI=', '1970-01-01T00:00:00Z']])
})

test('named hubs on one backplane are independent', async () => {
  const shared = bus.join('shared')
  const [red, blue] = [
    await startNode('', { backplane: shared, name: 'red' }),
    await startNode('', { backplane: shared, name: 'blue' }),
  ]
  const other = await startNode('other', { name: 'red' })
  const inRed = await enter(red, 'ann')
  const inBlue = await enter(blue, 'ann')
  await enter(other, 'zoe')
  await other.hub.clients.user('ann').send('Said', 'red')
  await expect.poll(() => inRed.received).toEqual(['red'])
  inBlue.connection.on('Age', () => 7)
  expect(await blue.hub.clients.client(inBlue.id).invoke('Age')).toBe(7)
  // Closing a hub doesn't affect others on its backplane.
  await blue.hub.close()
  await other.hub.clients.user('ann').send('Said', 'again')
  await expect.poll(() => inRed.received).toEqual(['red', 'again'])
  expect(inBlue.received).toEqual([])
})

test('two hubs of one server share a backplane with those of another node', async () => {
  const start = async (name: string) => {
    const backplane = bus.join(name)
    const make = (hub: string) =>
      createHubServer({
        secret: 'a secret',
        name: hub,
        backplane,
        definition: {
          methods: { ...definition.methods, Which: () => hub },
        },
      })
    const hubs = { '/red': make('red'), '/blue': make('blue') }
    const find = (url: string | undefined) => {
      for (const [path, hub] of Object.entries(hubs)) {
        const subpath = subpathOf(url, path)
        if (subpath !== null) return { hub, subpath }
      }
      return null
    }
    const server = createServer((request, response) => {
      const found = find(request.url)
      if (found === null) response.writeHead(404).end()
      else found.hub.answer(request, response, found.subpath)
    }).listen(0, '127.0.0.1')
    server.on('upgrade', (request, socket, head) => {
      find(request.url)?.hub.upgrade(request, socket, head)
    })
    await once(server, 'listening')
    closing.push(
      async () => void server.close(),
      () => Promise.all([hubs['/red'].close(), hubs['/blue'].close()]),
    )
    const { port } = server.address() as AddressInfo
    const join = async (path: keyof typeof hubs) => {
      const person = await listen(`http://127.0.0.1:${port}${path}`)
      closing.push(() => person.connection.stop())
      await person.connection.invoke('Join', 'room')
      return person
    }
    return { hubs, red: await join('/red'), blue: await join('/blue') }
  }
  const [one, two] = [await start('one'), await start('two')]
  expect(await one.red.connection.invoke('Which')).toBe('red')
  expect(await one.blue.connection.invoke('Which')).toBe('blue')
  await two.hubs['/red'].clients.group('room').send('Said', 'red')
  await one.hubs['/blue'].clients.all().send('Said', 'blue')
  await one.hubs['/red'].clients.clients([two.red.id, two.blue.id]).send('Said', 'one red')
  await expect.poll(() => two.red.received).toEqual(['red', 'one red'])
  await expect.poll(() => two.blue.received).toEqual(['blue'])
  await expect.poll(() => [one.red.received, one.blue.received]).toEqual([['red'], ['blue']])
})
