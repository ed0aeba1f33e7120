import { expect, test } from 'vitest'
import { createLog } from '#server/kernel/log.ts'

test('a refused row does not stand in the log', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const refused = Object.assign(new Error('violates check constraint "mails_text_check"'), {
    code: '23514',
    detail: 'Failing row contains (ann@mail.test, For her eyes alone)',
    where: 'SQL statement with ann@mail.test',
  })
  log.warn({ err: refused, job: 'sendMail' }, 'a job failed')
  expect(lines[0]).toContain('mails_text_check')
  expect(lines[0]).not.toContain('ann@mail.test')
  expect(lines[0]).not.toContain('For her eyes')
})
