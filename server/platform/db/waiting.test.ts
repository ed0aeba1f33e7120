import pg from 'pg'
import { expect, test } from 'vitest'
import { waitForDatabase, whyAway } from '#server/platform/db/waiting.ts'
import { StartFailure } from '#server/kernel/process/start-failure.ts'

const failure = (code: string, syscall?: string) =>
  Object.assign(new Error(`failed with ${code}`), { code, ...(syscall && { syscall }) })
const answer = (code: string) =>
  Object.assign(new pg.DatabaseError(`failed with ${code}`, 0, 'error'), { code })

test.each([
  [failure('ECONNREFUSED'), 'connection refused'],
  [failure('ENOENT', 'connect'), 'nothing listens at its socket'],
  [failure('ENOTFOUND'), 'the name of its host is not known'],
  [failure('ETIMEDOUT'), 'does not answer in time'],
  [new Error('timeout exceeded when trying to connect'), 'does not answer'],
  [new Error('Connection terminated unexpectedly'), 'ended the connection'],
  [answer('53300'), 'takes no more connections'],
  [answer('57P03'), 'starting'],
  [answer('57014'), 'too busy'],
  [answer('55P03'), 'another program holds a lock'],
  [answer('08006'), 'failed with 08006'],
  [new Error('wrapped', { cause: failure('ECONNREFUSED') }), 'connection refused'],
])('waiting may help with %s', (error, reason) => {
  expect(whyAway(error)).toContain(reason)
})

test.each([
  [answer('28P01')],
  [answer('3D000')],
  [answer('42P01')],
  [answer('53100')],
  [failure('ENOENT', 'open')],
  [failure('ENOSPC')],
  [new TypeError('ours')],
  ['a text'],
])('waiting does not help with %s, so the start ends at once', async (error) => {
  const said: string[] = []
  const work = async () => Promise.reject(error)
  await expect(waitForDatabase(work, { say: (line) => said.push(line) })).rejects.toBe(error)
  expect(said).toEqual([])
})

test('each new reason is printed once', async () => {
  const fails = [
    failure('ECONNREFUSED'),
    failure('ECONNREFUSED'),
    answer('57P03'),
    answer('57P03'),
    answer('53300'),
  ]
  const said: string[] = []
  const work = async () => {
    const next = fails.shift()
    if (next !== undefined) throw next
    return 'open'
  }
  const options = { say: (line: string) => said.push(line), pauseMs: 1 }
  expect(await waitForDatabase(work, options)).toBe('open')
  expect(said).toEqual([
    'Waiting for the database: nothing listens at its address (connection refused).',
    'Waiting for the database: it is starting, stopping or recovering.',
    'Waiting for the database: it takes no more connections (max_connections).',
  ])
})

test('when the time is over it ends with the last reason', async () => {
  const work = async () => Promise.reject(answer('53300'))
  const ended = waitForDatabase(work, { say: () => {}, patienceMs: 30, pauseMs: 5 })
  await expect(ended).rejects.toBeInstanceOf(StartFailure)
  await expect(ended).rejects.toThrow(/gave up after waiting 0 seconds .*max_connections/)
})
