import { expect, test } from 'vitest'
import { hashRecoveryCode, newRecoveryCodes } from '#server/people/accounts/factors/recovery.ts'

/** Shorter codes would need a slow hash and a salt. */
const BITS = 112
const DRAWN = 24_000

test('ten codes of six groups, of signs that nobody mistakes for each other', () => {
  const codes = newRecoveryCodes()
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}(?:-[A-HJ-NP-Z2-9]{4}){5}$/)
})

test('a code has more than 112 bits: every sign comes at every place, about as often', () => {
  const codes = Array.from({ length: DRAWN / 240 }, newRecoveryCodes).flat()
  const plain = codes.map((code) => code.replaceAll('-', ''))
  const counts = new Map<string, number>()
  for (const sign of plain.join('')) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  // A fair generator exceeds this bound less than once in a million runs.
  const expected = DRAWN / counts.size
  for (const [sign, count] of counts)
    expect([sign, Math.abs(count - expected) < 8 * Math.sqrt(expected)]).toEqual([sign, true])
  const places = Array.from(
    { length: 24 },
    (_, place) => new Set(plain.map((code) => code[place])).size,
  )
  expect(Math.min(...places)).toBe(counts.size)
  expect(24 * Math.log2(counts.size)).toBeGreaterThan(BITS)
  expect(new Set(codes).size).toBe(codes.length)
})

test('a code is accepted with blanks, without dashes and in lower case, and no other code is', () => {
  const [code = '', other = ''] = newRecoveryCodes()
  const hash = hashRecoveryCode(code)
  expect(hash).toHaveLength(32)
  for (const typed of [
    code.toLowerCase(),
    code.replaceAll('-', ''),
    ` ${code.replaceAll('-', ' ')} `,
  ])
    expect(hashRecoveryCode(typed).equals(hash)).toBe(true)
  expect(hashRecoveryCode(other).equals(hash)).toBe(false)
})
