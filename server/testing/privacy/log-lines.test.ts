import { expect, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import { startProduct } from '#server/testing/product.ts'
import { createLogJudge } from './log-lines.ts'
import { formOf } from '#server/testing/http/forms.ts'

test.each([
  ['{"msg":"mailed ann@people.example"}', 'mailbox'],
  ['{"token":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x"}', 'token'],
  ['{"h":"Bearer abcdefghijkl"}', 'authorization'],
  ['{"m":"secret of ann 1"}', 'password'],
  ['{"m":"What she said there"}', 'wrote'],
  ['{"m":"<p>w7x0 w7x1 w7x2</p>"}', 'wrote'],
])('a line with personal data is found: %s', (line, what) => {
  const judge = createLogJudge()
  const form = formOf({ text: 'What she said there' })
  judge.hear(form)
  judge.write(line)
  expect(judge.leaks).toEqual([expect.stringContaining(what)])
})

test('an ordinary line is accepted', () => {
  const judge = createLogJudge()
  judge.hear({ title: 'A lesson of mine', deep: [{ text: 'Words of mine' }] })
  judge.write('{"level":30,"method":"GET","url":"/api/lesson/details/7","status":200,"ms":3.1}')
  expect(judge.leaks).toEqual([])
})

test('every line of a test server is checked, and a leak fails the test that closes it', async () => {
  const app = await createTestApp()
  const secret = 'somebody@people.example'
  app.app.core.log.warn({ to: secret }, 'a line that must not be')
  await expect(app.close()).rejects.toThrow(secret)
})

test('the output of a process is checked too, and a leak fails the test that stops it', async () => {
  const words = encodeURIComponent(`console.error('to somebody@people.example')`)
  const started = startProduct({
    NODE_OPTIONS: `--import=data:text/javascript,${words}`,
    PUBLIC_URL: 'no address',
  })
  await expect(started).rejects.toThrow(/the address of a mailbox: to somebody@people\.example/)
})
