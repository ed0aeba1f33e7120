/** `signalr-hub-server/messagepack`: needs `@msgpack/msgpack`, which nothing else here does. */
import { decode, encode } from '@msgpack/msgpack'
import type { OrderCodec } from './backplane/orders.ts'
import { checkMessagePack, NODE_BOUNDS } from './protocol/bounds.ts'

export { messagePackProtocol } from './protocol/messagepack-protocol.ts'

/** For `betweenNodes`: smaller than JSON where messages are bytes. */
export const messagePackCodec: OrderCodec = {
  encode: (value) => encode(value, { ignoreUndefined: true }),
  decode: (bytes) => {
    checkMessagePack(bytes, NODE_BOUNDS)
    return decode(bytes)
  },
}
