/**
 * Tests that sealed secrets belong to one person and purpose, open with any current key, and carry their version.
 */
import { createCipheriv, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'

const KEY = 'a-secret-of-the-tests-a-secret-of-the-tests'
const NEWER = 'another-secret-of-tests-another-secret!!'

/** The format before versions. */
function sealUnversioned(secret: string, userId: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(KEY, 'second factor'), iv)
  cipher.setAAD(Buffer.from(userId))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

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

test('what was sealed before there were versions is opened, and called old', () => {
  // About 1 in 256 begins with the byte that is today's version.
  for (let count = 0; count < 2000; count += 1) {
    const sealed = sealUnversioned(`secret ${count}`, 'ann')
    expect(createSealing([KEY]).open(sealed, 'ann')).toEqual({
      secret: `secret ${count}`,
      isOld: true,
    })
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
