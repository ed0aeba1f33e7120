/** The official client at the hub of the product. */
import {
  HttpTransportType,
  HubConnectionBuilder,
  LogLevel,
  type HubConnection,
} from '@microsoft/signalr'

/** Prepares a connection that logs nothing. */
export function buildHubClient(
  url: string,
  accessToken: string,
  transport = HttpTransportType.WebSockets,
): HubConnection {
  return new HubConnectionBuilder()
    .withUrl(`${url}/chatHub`, { transport, accessTokenFactory: () => accessToken })
    .configureLogging(LogLevel.None)
    .build()
}
