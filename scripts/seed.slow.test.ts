/** Tests that `npm run seed` writes correct balances and counts, and nothing at all if it is interrupted. */
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import type { ClientConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf, ask, type Done } from '#server/testing/backup/commands.ts'
import { createTestApp } from '#server/testing/app.ts'
import { createTestDatabase } from '#server/testing/database.ts'

const run = promisify(execFile)

const environmentOf = (connection: ClientConfig) => ({
  PATH: process.env['PATH'] ?? '',
  AUTH_SECRETS: 'x'.repeat(32),
  DATABASE_URL: addressOf(connection),
})

async function command(
  script: string,
  connection: ClientConfig,
  ...words: readonly string[]
): Promise<Done> {
  const done = run(process.execPath, [`scripts/${script}.ts`, ...words], {
    env: environmentOf(connection),
  })
  return done.then(
    (output) => ({ code: 0, ...output }),
    (error: Done) => error,
  )
}

const FEW = '--lessons 120 --users 30 --purchases 300 --comments 200 --messages 400'.split(' ')
const TABLES = ['users', 'lessons', 'lesson_purchases', 'point_entries', 'comments', 'messages']
const countAll = `select ${TABLES.map((name) => `(select count(*)::int from ${name}) as ${name}`).join()}`
const definitions = `select array_agg(indexdef order by indexdef) as indexes,
  (select array_agg(conname || pg_get_constraintdef(oid) order by conname) from pg_constraint
   where connamespace = 'public'::regnamespace) as constraints
  from pg_indexes where schemaname = 'public'`

test('invalid sizes and unknown options end with a message', async () => {
  const database = await createTestDatabase()
  for (const [words, sentence] of [
    [['--lessons', 'many'], '--lessons is "many": it must be a whole number from 10'],
    [['--users', '2'], '--users is "2": it must be a whole number from 10'],
    [['--messages', '1e9'], '--messages is "1e9"'],
    [['--followers', '3'], 'npm run seed -- [options]'],
  ] as const) {
    const { code, stderr } = await command('seed', database, ...words)
    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
  }
})

test('the ledgers of a seeded database balance, and its counts are correct', async () => {
  const database = await createTestDatabase()
  const before = await ask(database, definitions)
  const { code, stdout, stderr } = await command('seed', database, ...FEW)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toMatch(/point_entries: \d+ of \d+ \(100 %\), [\d,]+ a second, done/)
  expect(await ask(database, definitions)).toEqual(before)
  expect(await ask(database, countAll)).toMatchObject([
    { lessons: 120, comments: 200, messages: 400 },
  ])
  const wrong = await ask(
    database,
    `select
      (select count(*)::int from lesson_purchases) as sales,
      (select count(*)::int from point_balances b
        where net <> (select sum(amount) from point_entries e where e.user_id = b.user_id)) as balances,
      (select count(*)::int from (
        select net_after - sum(amount) over (partition by user_id order by id) as off from point_entries
      ) entry where off <> 0) as entries,
      (select count(*)::int from point_entries where net_after < 0) as debts,
      (select count(*)::int from (
        (select user_id, 'lesson' as kind, lesson_id, -price from lesson_purchases union all
         select user_id, 'course', course_id, -price from course_purchases)
        except all select user_id, item_kind, item_id, amount from point_entries where reason = 'bought'
      ) sale) as unpaid,
      (select count(*)::int from point_entries e where reason = 'bought' and item_title is distinct from case item_kind
        when 'lesson' then (select title from lesson_contents where lesson_id = e.item_id)
        else (select title from course_contents where course_id = e.item_id) end) as titles,
      (select count(*)::int from lesson_purchases p join lessons l on l.id = p.lesson_id
        where l.owner_id = p.user_id) as own,
      (select count(*)::int from conversations c where last_message_id <> (
        select max(id) from messages m where c.user_id in (m.sender_id, m.receiver_id)
          and c.other_id in (m.sender_id, m.receiver_id))) as conversations,
      (select count(*)::int from messages m where not exists (
        select from conversations c where c.user_id = m.receiver_id and c.other_id = m.sender_id)) as lost,
      (select count(*)::int from conversations c where unread > 0 and user_id <> (
        select receiver_id from messages where id = c.last_message_id)) as unread`,
  )
  expect(wrong).toEqual([
    {
      balances: 0,
      entries: 0,
      debts: 0,
      unpaid: 0,
      titles: 0,
      own: 0,
      conversations: 0,
      lost: 0,
      unread: 0,
      sales: expect.any(Number),
    },
  ])
  expect(wrong[0]?.['sales']).toBeGreaterThan(250)
  const recount = await command('admin', database, 'recount')
  expect(recount.stdout).toBe('Corrected the numbers of 0 lessons and 0 courses.\n')
})

test('an added person can sign in, publish, and find the existing content', async () => {
  const connection = await createTestDatabase()
  const { stdout } = await command('seed', connection, ...FEW)
  const [, username = '', password = ''] = /as (\S+) with the password (\S+),/.exec(stdout) ?? []
  const app = await createTestApp({}, null, { connection })
  onTestFinished(() => app.close())
  const json = { username, password }
  const signedIn = await app.call<{ accessToken: string }>('POST', '/identity/login', { json })
  expect(signedIn.status).toBe(200)
  const person = await app.signUp('late')
  // Its id follows those of the seeded rows.
  const lesson = await app.publishLesson(person)
  const [last] = await ask(connection, 'select max(id)::int as id from lessons')
  expect(last).toEqual({ id: lesson.id })
  expect((await app.call('GET', '/lesson/1')).status).toBe(200)
})

test('a database with lessons is not changed unless content is added to it', async () => {
  const database = await createTestDatabase()
  await command('seed', database, ...FEW)
  const before = await ask(database, countAll)
  const refused = await command('seed', database, ...FEW)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('has lessons already, and nothing was changed')
  expect(await ask(database, countAll)).toEqual(before)
  expect((await command('seed', database, ...FEW, '--add')).stderr).toBe('')
  expect(await ask(database, countAll)).toMatchObject([{ users: 60, lessons: 240, messages: 800 }])
  const recount = await command('admin', database, 'recount')
  expect(recount.stdout).toBe('Corrected the numbers of 0 lessons and 0 courses.\n')
})

test('the same seed gives the same rows, and another seed different ones', async () => {
  const rowsOf = async (seed: string) => {
    const database = await createTestDatabase()
    await command('seed', database, ...FEW, '--seed', seed)
    const digest = (table: string) =>
      `(select md5(string_agg(t::text, '' order by t::text)) from ${table} t) as ${table}`
    return ask(
      database,
      `select ${TABLES.filter((name) => name !== 'users')
        .map(digest)
        .join()}`,
    )
  }
  const first = await rowsOf('7')
  expect(first).toEqual([expect.objectContaining({ lessons: expect.any(String) })])
  expect(await rowsOf('7')).toEqual(first)
  expect(await rowsOf('8')).not.toEqual(first)
})

test('Ctrl-C leaves the database as it was', async () => {
  const database = await createTestDatabase()
  const before = [await ask(database, countAll), await ask(database, definitions)]
  const child = spawn(process.execPath, ['scripts/seed.ts', '--messages', '5000000'], {
    env: environmentOf(database),
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  const ended = new Promise((resolve) => child.once('close', resolve))
  await expect.poll(() => output).toMatch(/^messages: /m)
  child.kill('SIGINT')
  expect(await ended).toBe(1)
  expect(errors).toBe('Stopped: the database is as it was.\n')
  expect([await ask(database, countAll), await ask(database, definitions)]).toEqual(before)
})
