import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '#server/people/accounts/passwords.ts'

const asker = 'a test'

test('a password is stored by argon2id with 19 MiB and two passes, and a salt of its own', async () => {
  const first = await hashPassword('the same words twice', asker)
  const second = await hashPassword('the same words twice', asker)
  for (const stored of [first, second]) expect(stored).toMatch(COST)
  expect(new Set([first, second].map((stored) => stored.split('$')[4])).size).toBe(2)
  expect(await verifyPassword(first, 'the same words twice', asker)).toBe(true)
  expect(await verifyPassword(first, 'the same words once', asker)).toBe(false)
})

/** 16 bytes of salt and 32 of hash, in base64 without padding. */
const COST = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/

test('a password hashed at another cost still works', async () => {
  const older = await hash('words of before', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  expect(await verifyPassword(older, 'words of before', asker)).toBe(true)
  expect(await verifyPassword(older, 'words of today', asker)).toBe(false)
})
