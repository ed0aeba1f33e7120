/** Clients that choose a transport and a protocol themselves. */
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack'

const url = process.env['HUB_URL'] ?? 'http://localhost:3000/hub'
const { WebSockets, LongPolling } = HttpTransportType

// Saves a request, but has nothing to fall back to.
const quick = new HubConnectionBuilder()
  .withUrl(url, { transport: WebSockets, skipNegotiation: true })
  .withHubProtocol(new MessagePackHubProtocol())
  .configureLogging(LogLevel.Warning)
  .build()
// Keeps the connection and its groups over a short cut, and loses and duplicates nothing.
const lasting = new HubConnectionBuilder()
  .withUrl(url, { transport: WebSockets })
  .withStatefulReconnect()
  .withAutomaticReconnect()
  .configureLogging(LogLevel.Warning)
  .build()
const patient = new HubConnectionBuilder()
  .withUrl(url, { transport: LongPolling })
  .configureLogging(LogLevel.Warning)
  .build()
for (const connection of [quick, lasting, patient]) {
  await connection.start()
  console.log(await connection.invoke('Transport'), await connection.invoke('Bytes'))
  await connection.stop()
}
