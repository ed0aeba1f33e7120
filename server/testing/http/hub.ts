/** Connections to the hub, by the official client. */
import {
  HubConnectionBuilder,
  LogLevel,
  type HubConnection,
  type IHttpConnectionOptions,
} from '@microsoft/signalr'
import type { TestApp } from '#server/testing/app.ts'

/** Not started yet; of a session, or of a program's access token. */
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
