/** Each recovery code replaces the authenticator app once. */
import { createHash, randomInt } from 'node:crypto'

const COUNT = 10
const GROUPS = 6
const GROUP_LENGTH = 4
/** Without letters and digits that look alike on paper: 31 signs, so a code has 118 bits and can't be guessed. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

const newGroup = () =>
  Array.from({ length: GROUP_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** Returns ten codes such as `7KXM-…`, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, newGroup).join('-'))
}

/**
 * Ignores case, blanks and dashes. A fast hash suffices because the codes are random and too long to search, even
 * in a stolen copy.
 */
export function hashRecoveryCode(code: string): Buffer {
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase()
  return createHash('sha256').update(plain).digest()
}
