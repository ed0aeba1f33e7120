/** Recovery codes: each stands in for the authenticator app once. */
import { createHash, randomInt } from 'node:crypto'

const COUNT = 10
const GROUPS = 6
const GROUP_LENGTH = 4
/** Without letters and digits that look alike on paper: 31 signs, so a code has 118 bits, which nobody guesses. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

const newGroup = () =>
  Array.from({ length: GROUP_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** Ten new codes such as `7KXM-…`, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, newGroup).join('-'))
}

/** As it is stored, in any case and without blanks and dashes. A fast hash will do: the codes are random, and too many to be tried at a stolen copy. */
export function hashRecoveryCode(code: string): Buffer {
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase()
  return createHash('sha256').update(plain).digest()
}
