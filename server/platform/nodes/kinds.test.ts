/** Tests the messages for a REDIS_URL that can't work. */
import { expect, test } from 'vitest'
import { readConfig } from '#server/kernel/config.ts'
import { createTestApp } from '#server/testing/app.ts'
import { startRedis } from '#server/testing/redis/process.ts'
import { closeAtEnd } from '#server/testing/setup.ts'

test.each([
  ['http://redis.example:6379', 'must be redis://HOST:PORT'],
  ['redis://', 'must be redis://HOST:PORT'],
  ['redis://:pass/word@redis.example', 'percent-encoded'],
  ['redis://redis.example:99999', 'must be redis://HOST:PORT'],
  ['redis://one:6379,two:6379', 'must name one server'],
  ['redis://redis.example/mine', 'must end in the number of a database'],
  ['redis+sentinel://one:26379,two:26379', 'must name the primary'],
  ['redis+cluster://one:6379/3', 'must name no database'],
  ['redis://redis.example?ca=/ca.pem', 'must begin with rediss'],
  ['redis://redis.example?secret=1', 'must have no other parameters'],
  ['redis://redis.example?prefix=a%20b', 'must have a prefix'],
])('%s is no valid REDIS_URL', (url, says) => {
  expect(() => readConfig({ REDIS_URL: url })).toThrow('REDIS_URL is "…"')
  expect(() => readConfig({ REDIS_URL: url })).toThrow(says)
})

test('an unreadable file of certificates is refused', async () => {
  await expect(
    createTestApp({ REDIS_URL: 'rediss://127.0.0.1:1?ca=/no/such/file' }),
  ).rejects.toThrow('REDIS_URL must name a ca that can be read: /no/such/file')
})

const redis = closeAtEnd(await startRedis())

test.each([
  ['redis://ann:wrong@', '', 'refuses the user or the password'],
  ['redis+cluster://', '', 'is no cluster'],
  ['redis+sentinel://', '/bazaar', 'is no Sentinel'],
])('a start explains what can not work: %s', async (scheme, path, says) => {
  const host = redis.url.replace('redis://', '')
  const start = createTestApp({ REDIS_URL: `${scheme}${host}${path}` })
  await expect(start).rejects.toThrow(says)
  await expect(start).rejects.not.toThrow('wrong')
})
