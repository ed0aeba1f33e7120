/** Connects to the hub with the official client. */
import {
  HubConnectionBuilder,
  LogLevel,
  type HubConnection,
  type IHttpConnectionOptions,
} from '@microsoft/signalr'
import type { TestApp } from '#server/testing/app.ts'

/** Returns a connection that is not started. It uses the session's token or a program's access token. */
export function buildConnection(
  { url }: Pick<TestApp, 'url'>,
  bearer: string,
  options: IHttpConnectionOptions & { readonly path?: string } = {},
): HubConnection {
  const { path = '/chatHub', ...rest } = options
  return new HubConnectionBuilder()
    .withUrl(url + path, { accessTokenFactory: () => bearer, ...rest })
    .configureLogging(LogLevel.None)
    .build()
}

/** Connects to the hub and records the texts of messages. */
export async function connectHub(
  node: Pick<TestApp, 'url'>,
  bearer: string,
  options: Parameters<typeof buildConnection>[2] = {},
) {
  const connection = buildConnection(node, bearer, options)
  let isOpen = true
  const heard: string[] = []
  connection.onclose(() => {
    isOpen = false
  })
  connection.on('ReceiveMessage', (text: string) => heard.push(text))
  connection.on('MessageSent', () => undefined)
  await connection.start()
  return { connection, isOpen: () => isOpen, heard, stop: () => connection.stop() }
}
