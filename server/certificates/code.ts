/** The code of a certificate: its address, which nobody guesses. */
import { randomBytes } from 'node:crypto'

/** Without i, l, o and u: read from paper, none is taken for another, and no word comes out. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'
const BYTES = 16

/** 128 random bits in 26 signs, five bits each. */
export function makeCode(): string {
  let left = BigInt(`0x${randomBytes(BYTES).toString('hex')}`)
  let code = ''
  for (let sign = 0; sign < 26; sign += 1) {
    code = `${SIGNS[Number(left & 31n)] ?? ''}${code}`
    left >>= 5n
  }
  return code
}
