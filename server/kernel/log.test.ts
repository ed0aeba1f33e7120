import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createLog } from '#server/kernel/log.ts'

const run = promisify(execFile)

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

test('a line is JSON on the standard output alone, with its time in UTC, wherever the server is', async () => {
  const module = import.meta.resolve('#server/kernel/log.ts')
  const script = `import { createLog } from ${JSON.stringify(module)}
    createLog('info').warn({ place: 'Tokyo' }, 'a line')`
  const began = Date.now()
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TZ: 'Asia/Tokyo' },
  })
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(1)
  const line = JSON.parse(lines[0] ?? '') as { time: string }
  expect(line).toMatchObject({ place: 'Tokyo', msg: 'a line', level: 40 })
  expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Date.parse(line.time)).toBeGreaterThanOrEqual(began)
  expect(Date.parse(line.time)).toBeLessThanOrEqual(Date.now())
})
