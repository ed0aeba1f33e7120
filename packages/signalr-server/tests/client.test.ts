/** Tests the hub with the official client, over each transport and with both protocols. */
import { HttpTransportType, type HubConnection } from '@microsoft/signalr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildClient, closeAfterEach, collect } from '../testing/clients.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
const closing = closeAfterEach()
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.close()
})

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType
const ways = [
  ['WebSockets', WebSockets, 'json'],
  ['WebSockets', WebSockets, 'messagepack'],
  ['ServerSentEvents', ServerSentEvents, 'json'],
  ['LongPolling', LongPolling, 'json'],
  ['LongPolling', LongPolling, 'messagepack'],
] as const

describe.each(ways)('over %s', (name, transport, protocol) => {
  async function connect(path = '/testhub', options: object = {}): Promise<HubConnection> {
    const connection = buildClient(server.url + path, { transport, ...options }, protocol).build()
    closing.push(() => connection.stop())
    await connection.start()
    return connection
  }
  const titled = (title: string) => `${title} (${protocol})`

  test(titled('a client without a token is kept out'), async () => {
    await expect(connect('/authorizedhub')).rejects.toThrow(/401/)
  })

  test(titled('errors tell their cause'), async () => {
    const connection = await connect()
    await expect(connection.invoke('ThrowException', 'Bang')).rejects.toThrow(
      "An unexpected error occurred invoking 'ThrowException' on the server. InvalidOperationException: Bang",
    )
    await expect(connection.invoke('Nothing')).rejects.toThrow(
      "Failed to invoke 'Nothing' due to an error on the server. HubException: Method does not exist.",
    )
    await expect(connection.invoke('constructor')).rejects.toThrow('Method does not exist.')
    await expect(connection.invoke('Echo', 1, 2)).rejects.toThrow("Failed to invoke 'Echo'")
    await expect(connection.invoke('EmptyStream')).rejects.toThrow(
      "The client attempted to invoke the streaming 'EmptyStream' method with a non-streaming invocation.",
    )
    await expect(collect(connection, 'Echo', '42')).rejects.toThrow(
      "The client attempted to invoke the non-streaming 'Echo' method with a streaming invocation.",
    )
    await expect(collect(connection, 'StreamThrowException', 'Bang')).rejects.toThrow(
      "An unexpected error occurred invoking 'StreamThrowException' on the server. InvalidOperationException: Bang",
    )
    expect(connection.state).toBe('Connected')
  })

  test(titled('an invocation answers its result'), async () => {
    const connection = await connect()
    const text = '你好，<script>мир</script> مرحبا 🎉'
    expect(await connection.invoke('echo', text)).toBe(text)
    expect(await connection.invoke('Echo', null)).toBeNull()
    expect(await connection.invoke('GetActiveTransportName')).toBe(name)
    expect(await connection.invoke('GetCallerConnectionId')).toEqual(expect.any(String))
  })

  test(titled('bytes and dates come as the reference writes them'), async () => {
    const connection = await connect()
    const { ByteArray, DateTime } = await connection.invoke<{
      ByteArray: unknown
      DateTime: unknown
    }>('SendComplexObject')
    if (protocol === 'json') {
      expect(ByteArray).toBe('AQID')
      expect(DateTime).toBe('2000-01-01T00:00:00Z')
    } else {
      expect(ByteArray).toEqual(new Uint8Array([1, 2, 3]))
      expect(DateTime).toEqual(new Date(Date.UTC(2000, 0, 1)))
    }
  })

  test(titled('a canceled stream stops its method'), async () => {
    const connection = await connect()
    const canceled = new Promise<void>((resolve) => connection.on('StreamCanceled', resolve))
    const subscription = connection
      .stream('InfiniteStream')
      .subscribe({ next: () => {}, complete: () => {}, error: () => {} })
    await connection.invoke('Echo', 1)
    subscription.dispose()
    await canceled
  })

  test(titled('the server asks and the client answers'), async () => {
    const connection = await connect()
    connection.on('Result', () => 22)
    connection.on('Refuse', () => Promise.reject(new Error('not today')))
    expect(await connection.invoke('AskCaller', 'Result')).toBe('got 22')
    await expect(connection.invoke('AskCaller', 'Refuse')).rejects.toThrow('not today')
    const id = String(await connection.invoke('GetCallerConnectionId'))
    const answer = await fetch(`${server.url}/clientresult/${encodeURIComponent(id)}`)
    expect(await answer.text()).toBe('22')
  })

  test(titled('a group gets what is sent to it'), async () => {
    const [one, other] = [await connect(), await connect()]
    const received: string[] = []
    one.on('Message', (text: unknown) => received.push(`one ${String(text)}`))
    other.on('Message', (text: unknown) => received.push(`other ${String(text)}`))
    const group = `group ${name} ${protocol}`
    await one.invoke('JoinGroup', group)
    await other.invoke('JoinGroup', group)
    server.hub.clients.group(group).send('Message', 1)
    await expect.poll(() => received.toSorted()).toEqual(['one 1', 'other 1'])
    await one.invoke('LeaveGroup', group)
    server.hub.clients.group(group).send('Message', 2)
    await expect.poll(() => received.length).toBe(3)
    await one.invoke('Echo', 1)
    expect(received.at(-1)).toBe('other 2')
  })

  test(titled('a token opens the authorized hub'), async () => {
    const token = await (await fetch(`${server.url}/generateJwtToken`)).text()
    const connection = await connect('/authorizedhub', { accessTokenFactory: () => token })
    expect(await connection.invoke('GetUser')).toBe('testuser')
  })

  test(titled('a redirect leads to the hub'), async () => {
    const connection = await connect(`/redirect?numRedirects=0&baseUrl=${server.url}`)
    expect(await connection.invoke('GetNumRedirects')).toBeGreaterThan(0)
  })

  test(titled('the hub ends a connection without an error'), async () => {
    const connection = await connect()
    const closed = new Promise<Error | undefined>((resolve) => connection.onclose(resolve))
    await connection.send('Abort')
    expect(await closed).toBeUndefined()
  })
})
