/** The first record of a connection, always JSON, selects the protocol. */
import { readObject } from './json-protocol.ts'
import type { HubProtocol } from './messages.ts'

const SEPARATOR = '\u001e'
/** Version 2 is version 1 with stateful reconnect. */
const NEWEST_VERSION = 2

export type Handshake =
  | { readonly protocol: HubProtocol; readonly version: number }
  | { readonly error: string }

/** `binary` means that the transport supports bytes. @throws ProtocolError for anything but a JSON object */
export function readHandshake(
  record: Buffer,
  binary: boolean,
  protocols: readonly HubProtocol[],
): Handshake {
  const { protocol: name, version } = readObject(record)
  const protocol = protocols.find((known) => known.name === name)
  if (protocol === undefined) return { error: `The protocol '${shown(name)}' is not supported.` }
  if (protocol.binary && !binary)
    return {
      error: `Cannot use the '${protocol.name}' protocol on the current transport. The transport does not support 'Binary' transfer format.`,
    }
  if (!Number.isInteger(version) || Number(version) < 1 || Number(version) > NEWEST_VERSION)
    return {
      error: `The server does not support version ${shown(version)} of the '${protocol.name}' protocol.`,
    }
  return { protocol, version: Number(version) }
}

/** Longest part of the client's request in an error message. */
const MOST_SHOWN = 50
const shown = (asked: unknown) =>
  typeof asked === 'string' || typeof asked === 'number' ? String(asked).slice(0, MOST_SHOWN) : ''

/** Without an error, accepts the handshake. */
export function writeHandshake(error?: string): Buffer {
  return Buffer.from(JSON.stringify(error === undefined ? {} : { error }) + SEPARATOR)
}
