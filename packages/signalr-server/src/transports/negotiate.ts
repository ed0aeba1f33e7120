/** Answers the first request of a client with the available transports and the token of its connection. */
import type { Connection } from '../connections/connection.ts'
import type { TransportName } from './transport.ts'

const NEWEST = 1
const FORMATS: Readonly<Record<TransportName, readonly string[]>> = {
  WebSockets: ['Text', 'Binary'],
  ServerSentEvents: ['Text'],
  LongPolling: ['Text', 'Binary'],
}
const PREFERENCE: readonly TransportName[] = ['WebSockets', 'ServerSentEvents', 'LongPolling']

/** Returns null for an invalid version. Newer versions are reduced to the newest known one. */
export function readVersion(query: URLSearchParams): number | null {
  const given = query.get('negotiateVersion')
  if (given === null || given === '') return 0
  return /^\d{1,9}$/.test(given) ? Math.min(NEWEST, Number(given)) : null
}

/** Returns the response. In version 0 it only contains the token, named as the id. */
export function describeConnection(
  connection: Connection,
  version: number,
  transports: readonly TransportName[],
): Record<string, unknown> {
  const availableTransports = PREFERENCE.filter((name) => transports.includes(name)).map(
    (transport) => ({ transport, transferFormats: FORMATS[transport] }),
  )
  return {
    negotiateVersion: version,
    ...(version === 0
      ? { connectionId: connection.token }
      : { connectionId: connection.id, connectionToken: connection.token }),
    // A client that did not request it rejects a response that contains it.
    ...(connection.stateful && { useStatefulReconnect: true }),
    availableTransports,
  }
}
