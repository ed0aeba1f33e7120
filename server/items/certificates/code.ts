import { randomBytes } from 'node:crypto'

/** Without i, l, o and u, so that printed characters can't be confused and no words appear. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'
const BYTES = 16

/** Returns 128 random bits as 26 characters of five bits each. */
export function makeCode(): string {
  let left = BigInt(`0x${randomBytes(BYTES).toString('hex')}`)
  let code = ''
  for (let sign = 0; sign < 26; sign += 1) {
    code = `${SIGNS[Number(left & 31n)] ?? ''}${code}`
    left >>= 5n
  }
  return code
}
