import { expect, test } from 'vitest'
import { createLog, toText } from '#server/kernel/log.ts'

test('a line has its time in UTC, and no row that the database refused', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const refused = Object.assign(new Error('violates check constraint "mails_text_check"'), {
    code: '23514',
    detail: 'Failing row contains (ann@mail.test, For her eyes alone)',
    where: 'SQL statement with ann@mail.test',
  })
  log.warn({ err: refused, job: 'sendMail' }, 'a job failed')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    job: 'sendMail',
  })
  expect(lines[0]).toContain('mails_text_check')
  expect(lines[0]).not.toContain('ann@mail.test')
  expect(lines[0]).not.toContain('For her eyes')
})

test('a line for people has time, level, message, fields, and the stack of an error below', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(toText(line)) })
  log.info({ part: 'redis', ms: 12 }, 'it is back')
  log.error({ err: new Error('no space left') }, 'a job failed')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}it is back part=redis ms=12$/)
  expect(lines[1]).toMatch(/^\S+ error a job failed\nError: no space left\n +at /)
})
