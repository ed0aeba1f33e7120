import { getRandomValues } from 'node:crypto'

/** Returns a UUIDv7 (RFC 9562): 48 bits of ms, then randomness, so that new rows are adjacent in an index. */
export function newId(now: number = Date.now()): string {
  const bytes = getRandomValues(Buffer.alloc(16))
  bytes.writeUIntBE(now, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
