import { expect, test } from 'vitest'
import { loadRouteTable, loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({}, await loadSourceRenderer())
const admin = await app.signUp('admin')

const query = (text: string) => app.app.database.pool.query(text)

async function read(language: 'en' | 'bg', path = '/admin/audit'): Promise<string> {
  const headers = { cookie: admin.cookie, 'accept-language': language }
  const answer = await fetch(`${app.url}${path}`, { headers })
  expect(answer.status).toBe(200)
  const html = await answer.text()
  return html.replaceAll(/<script.*?<\/script>/gs, '').replaceAll(/<[^>]+>/g, ' ')
}

const run = (outcomes: unknown) =>
  query(
    `delete from audit_runs; insert into audit_runs (night, began_at, due_at, finished_at, done, outcomes)
     values (current_date, now(), now(), now(), '{a,b}', '${JSON.stringify(outcomes)}')`,
  )

await query(`update users set role = 'administrator' where username = 'admin'`)

test('the footer of every moderation page shows the version', async () => {
  const desk = (await loadRouteTable()).filter(
    ([path, access]) => access === 'administrator' && !path.includes(':'),
  )
  expect(desk.length).toBeGreaterThan(6)
  for (const [path] of desk) expect(await read('en', path), path).toMatch(/Version \d+\.\d+\.\d+/)
})

test('before the first audit, and without findings, it says so', async () => {
  expect(await read('en')).toContain('No audit has finished yet')
  await run([])
  expect(await read('en')).toContain('All is well')
})

test('findings are described with their number and ids', async () => {
  const [first, later, gap] = [
    { rule: 'lessonNumbers', what: 'English.', count: 21, ids: ['lesson 7', 'lesson 8'] },
    { rule: 'ofALaterVersion', what: 'What a later version says.', count: 1, ids: ['course 3'] },
    { rule: 'strayFile', why: 'The files could not be listed: away' },
  ]
  await run([
    { finding: first, gap: null },
    { finding: later, gap: null },
    { finding: null, gap },
  ])
  const english = await read('en')
  for (const text of [
    '2 rules are broken',
    'A lesson’s likes, comments or ratings are miscounted',
    'lesson 7; lesson 8',
    'and 19 more',
    'What a later version says.',
    'A file belongs to nothing',
    'The files could not be listed: away',
  ])
    expect(english).toContain(text)
  expect(await read('bg')).toContain('Нарушени са 2 правила')
})
