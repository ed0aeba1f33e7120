/** An official client that records what it receives. */
import {
  HttpTransportType,
  type HubConnection,
  type IHttpConnectionOptions,
} from '@microsoft/signalr'
import { buildClient } from './clients.ts'

export interface Listener {
  readonly connection: HubConnection
  readonly id: string
  /** Arguments of the event `Said`, in order. */
  readonly received: readonly unknown[]
}

/** Connects and listens. The hub must have the method `Id`. */
export async function listen(url: string, options: IHttpConnectionOptions = {}): Promise<Listener> {
  const { WebSockets: transport } = HttpTransportType
  const connection = buildClient(url, { transport, ...options }).build()
  const received: unknown[] = []
  connection.on('Said', (word: unknown) => received.push(word))
  await connection.start()
  const id = String(await connection.invoke('Id'))
  return { connection, id, received }
}
