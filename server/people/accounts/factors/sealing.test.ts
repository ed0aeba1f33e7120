/**
 * Tests that sealed secrets belong to one person and purpose, open with any current key, and carry their version.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'

const KEY = 'a-secret-of-the-tests-a-secret-of-the-tests'
const NEWER = 'another-secret-of-tests-another-secret!!'

test('it does not open for another person, purpose or key, nor when altered', () => {
  const sealed = createSealing([KEY]).seal('JBSWY3DPEHPK3PXP', 'ann')
  expect(createSealing([KEY]).open(sealed, 'ben')).toBeNull()
  expect(createSealing([KEY], 'webhooks').open(sealed, 'ann')).toBeNull()
  expect(createSealing([NEWER]).open(sealed, 'ann')).toBeNull()
  for (const place of sealed.keys()) {
    const altered = Buffer.from(sealed)
    altered[place] = (altered[place] ?? 0) ^ 1
    expect(createSealing([KEY]).open(altered, 'ann')).toBeNull()
    expect(createSealing([KEY]).open(sealed.subarray(0, place), 'ann')).toBeNull()
  }
})

test('a sealed secret opens, also with older keys', () => {
  fc.assert(
    fc.property(fc.string(), fc.uuid(), (secret, id) => {
      const sealed = createSealing([KEY]).seal(secret, id)
      expect(createSealing([KEY]).open(sealed, id)).toEqual({ secret, isOld: false })
      expect(createSealing([NEWER, KEY]).open(sealed, id)).toEqual({ secret, isOld: true })
    }),
  )
})
