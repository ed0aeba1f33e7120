/** Official clients, negotiations, and clean-up for most tests of the hub. */
import {
  HttpTransportType,
  HubConnectionBuilder,
  JsonHubProtocol,
  LogLevel,
  type HubConnection,
  type IHttpConnectionOptions,
} from '@microsoft/signalr'
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack'
import { afterEach } from 'vitest'

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType
export const TRANSPORTS = [
  ['WebSockets', WebSockets],
  ['ServerSentEvents', ServerSentEvents],
  ['LongPolling', LongPolling],
] as const

/** Returns a list whose functions are called after each test of the file, newest first. */
export function closeAfterEach(): (() => unknown)[] {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })
  return closing
}

/** Returns an unstarted client without logging. */
export function buildClient(
  url: string,
  options: IHttpConnectionOptions | HttpTransportType = {},
  protocol: 'json' | 'messagepack' = 'json',
): HubConnectionBuilder {
  const given = typeof options === 'object' ? options : { transport: options }
  return new HubConnectionBuilder()
    .withUrl(url, given)
    .withHubProtocol(protocol === 'json' ? new JsonHubProtocol() : new MessagePackHubProtocol())
    .configureLogging(LogLevel.None)
}

/** Resolves with all items of a stream when it is complete. */
export function collect(
  connection: HubConnection,
  method: string,
  ...parameters: unknown[]
): Promise<unknown[]> {
  const items: unknown[] = []
  return new Promise((resolve, reject) => {
    connection.stream(method, ...parameters).subscribe({
      next: (item) => items.push(item),
      complete: () => resolve(items),
      error: reject,
    })
  })
}

/** Negotiates a connection of a hub. `own` is the URL of its transports. */
export async function negotiate(hub: string, query = '') {
  const answer = await fetch(`${hub}/negotiate?negotiateVersion=1${query}`, { method: 'POST' })
  const { connectionId, connectionToken } = (await answer.json()) as Record<
    'connectionId' | 'connectionToken',
    string
  >
  return { connectionId, own: `${hub}?id=${encodeURIComponent(connectionToken)}` }
}
