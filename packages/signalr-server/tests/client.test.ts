/** The hub as the official client sees it: each transport, both protocols. */
import {
  HttpTransportType,
  HubConnectionBuilder,
  HubConnectionState,
  JsonHubProtocol,
  LogLevel,
  Subject,
  type HubConnection,
} from '@microsoft/signalr'
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
const open: HubConnection[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.stop()))
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
    const connection = new HubConnectionBuilder()
      .withUrl(server.url + path, { transport, ...options })
      .withHubProtocol(protocol === 'json' ? new JsonHubProtocol() : new MessagePackHubProtocol())
      .configureLogging(LogLevel.None)
      .build()
    open.push(connection)
    await connection.start()
    return connection
  }
  const titled = (title: string) => `${title} (${protocol})`

  test(titled('a client without a token is kept out'), async () => {
    await expect(connect('/authorizedhub')).rejects.toThrow(/401/)
  })

  test(titled('a hub that refuses ends the connection'), async () => {
    const connection = await connect('/uncreatable').catch(() => null)
    await expect
      .poll(() => connection?.state ?? HubConnectionState.Disconnected)
      .toBe('Disconnected')
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

  test(titled('events reach their caller'), async () => {
    const connection = await connect()
    const heard = new Promise((resolve) => connection.on('message', resolve))
    await connection.send('InvokeWithString', 'hello')
    expect(await heard).toBe('hello')
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

  test(titled('a stream comes whole and in order'), async () => {
    const connection = await connect()
    expect(await collect(connection, 'Stream')).toEqual(['a', 'b', 'c'])
    expect(await collect(connection, 'Count', 500)).toEqual(
      Array.from({ length: 500 }, (_, n) => n),
    )
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

  test(titled('an upload is read as a stream'), async () => {
    const connection = await connect()
    const subject = new Subject<string>()
    const answer = connection.invoke('StreamingConcat', subject)
    for (const part of ['a', 'б', '🎉']) subject.next(part)
    subject.complete()
    expect(await answer).toBe('aб🎉')
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
    const heard: string[] = []
    one.on('Message', (text: unknown) => heard.push(`one ${String(text)}`))
    other.on('Message', (text: unknown) => heard.push(`other ${String(text)}`))
    const group = `group ${name} ${protocol}`
    await one.invoke('JoinGroup', group)
    await other.invoke('JoinGroup', group)
    server.hub.clients.group(group).send('Message', 1)
    await expect.poll(() => heard.toSorted()).toEqual(['one 1', 'other 1'])
    await one.invoke('LeaveGroup', group)
    server.hub.clients.group(group).send('Message', 2)
    await expect.poll(() => heard.length).toBe(3)
    await one.invoke('Echo', 1)
    expect(heard.at(-1)).toBe('other 2')
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

  test(titled('stopping ends the connection on both sides'), async () => {
    await expect.poll(() => server.hub.size()).toBe(0)
    const connection = await connect()
    expect(server.hub.size()).toBe(1)
    const closed = new Promise<Error | undefined>((resolve) => connection.onclose(resolve))
    await connection.stop()
    expect(await closed).toBeUndefined()
    await expect.poll(() => server.hub.size()).toBe(0)
  })

  test(titled('the hub ends a connection without an error'), async () => {
    const connection = await connect()
    const closed = new Promise<Error | undefined>((resolve) => connection.onclose(resolve))
    await connection.send('Abort')
    expect(await closed).toBeUndefined()
  })
})

function collect(
  connection: HubConnection,
  method: string,
  ...args: unknown[]
): Promise<unknown[]> {
  const items: unknown[] = []
  return new Promise((resolve, reject) => {
    connection.stream(method, ...args).subscribe({
      next: (item) => items.push(item),
      complete: () => resolve(items),
      error: reject,
    })
  })
}
