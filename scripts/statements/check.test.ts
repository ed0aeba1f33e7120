import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkStatements } from '#scripts/statements/check.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const root = await makeTestFolder()
const settings = await createTestDatabase()

const PREAMBLE = `
interface RawBuilder<Row> { execute(): Promise<Row[]>; row?: Row }
interface Sql { <Row>(texts: TemplateStringsArray, ...values: unknown[]): RawBuilder<Row>; ref(name: string): RawBuilder<unknown> }
declare const sql: Sql
`

async function check(program: string): Promise<readonly string[]> {
  await writeFile(join(root, 'program.ts'), PREAMBLE + program)
  await writeFile(join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }')
  const pool = openPool(settings, createLog('silent'), { work: 'migrations', size: 1 })
  onTestFinished(() => pool.end())
  const { mistakes } = await checkStatements(pool, { root, project: join(root, 'tsconfig.json') })
  return mistakes.map((mistake) => mistake.replace(/^program\.ts:\d+ |\n.*/g, ''))
}

test('a statement fits if its columns have the names and types of its rows', async () => {
  const program = `
    interface Row { id: number; username: string; at: Date; role: 'user' | 'administrator'; picture: number | null; tags: string[] }
    declare const id: string
    sql<Row>\`select 1::bigint as id, username, created_at as at, role, picture_id as picture, '{}'::text[] as tags
      from users where id = \${id}\`.execute()`
  expect(await check(program)).toEqual([])
})

test('wrong names and types, and columns that may be null, are mistakes', async () => {
  const program = `
    sql<{ name: string }>\`select username from users\`.execute()
    sql<{ total: number; ids: number[] }>\`select sum(id) as total, array_agg(id::text) as ids from lessons\`.execute()
    sql<{ picture: number }>\`select picture_id as picture from users\`.execute()
    sql\`delete from nowhere\`.execute()`
  expect(await check(program)).toEqual([
    'has no column name',
    'returns total as string (numeric), not number',
    'returns ids as string[] (_text), not number[]',
    'may return null as picture',
    'error: relation "nowhere" does not exist',
  ])
})

test('both branches of a condition, all literals of a union and all calls are checked', async () => {
  const program = `
    const TABLES = { lesson: 'lessons', course: 'nothing' }
    const newest = (isFirst: boolean) => isFirst ? sql\`order by id desc\` : sql\`order by age\`
    function list(kind: 'lesson' | 'course', condition: RawBuilder<unknown>, isFirst: boolean) {
      return sql\`select from \${sql.ref(TABLES[kind])} where \${condition} \${newest(isFirst)}\`.execute()
    }
    list('lesson', sql\`price > 0\`, true)
    list('lesson', sql\`weight > 0\`, true)
    list('course', sql\`true\`, true)
    export const first = (isFirst: boolean) => list('lesson', sql\`true\`, isFirst)`
  expect(await check(program)).toEqual([
    'error: column "weight" does not exist',
    'error: relation "nothing" does not exist',
    'error: column "age" does not exist',
  ])
})

test('a fragment that is known only at run time is a mistake', async () => {
  const program = `
    declare const condition: RawBuilder<unknown>
    sql\`select from users where \${condition}\`.execute()`
  expect(await check(program)).toEqual(["has a fragment that can't be followed"])
})
