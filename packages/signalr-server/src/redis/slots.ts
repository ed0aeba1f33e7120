/** The slots of a Redis cluster: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/ */

const SLOTS = 16_384

/** Returns the slot of a key or sharded channel: CRC16 (XMODEM) of the part in braces, or of all of it. */
export function slotOf(name: string): number {
  const tag = /\{([^}]*)\}/.exec(name)?.[1] ?? ''
  let sum = 0
  for (const byte of Buffer.from(tag === '' ? name : tag)) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1)
      sum = (sum & 0x8000) === 0 ? (sum << 1) & 0xffff : ((sum << 1) ^ 0x1021) & 0xffff
  }
  return sum % SLOTS
}
