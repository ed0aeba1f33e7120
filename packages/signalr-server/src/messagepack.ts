/** `signalr-hub-server/messagepack` needs `@msgpack/msgpack`, which no other module imports. */
import { decode, encode } from '@msgpack/msgpack'
import type { OrderCodec } from './backplane/orders.ts'
import { checkMessagePack, NODE_BOUNDS } from './protocol/bounds.ts'

export { messagePackProtocol } from './protocol/messagepack-protocol.ts'

/** For `betweenNodes`. Smaller than JSON for messages with bytes. */
export const messagePackCodec: OrderCodec = {
  encode: (value) => encode(value, { ignoreUndefined: true }),
  decode: (bytes) => {
    checkMessagePack(bytes, NODE_BOUNDS)
    return decode(bytes)
  },
}
