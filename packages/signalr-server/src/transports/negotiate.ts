/** The first request of a client: which transports there are, and under which token its connection is held. */
import type { Connection } from '../connections/connection.ts'
import type { TransportName } from './transport.ts'

const NEWEST = 1
const FORMATS: Readonly<Record<TransportName, readonly string[]>> = {
  WebSockets: ['Text', 'Binary'],
  ServerSentEvents: ['Text'],
  LongPolling: ['Text', 'Binary'],
}
const PREFERENCE: readonly TransportName[] = ['WebSockets', 'ServerSentEvents', 'LongPolling']

/** Null for what is no version. Newer ones are spoken to in the newest known. */
export function readVersion(query: URLSearchParams): number | null {
  const given = query.get('negotiateVersion')
  if (given === null || given === '') return 0
  return /^\d{1,9}$/.test(given) ? Math.min(NEWEST, Number(given)) : null
}

/** The answer. In version 0 the token is all there is, under the name of the id. */
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
    // A client that did not ask refuses an answer that has it.
    ...(connection.stateful && { useStatefulReconnect: true }),
    availableTransports,
  }
}
