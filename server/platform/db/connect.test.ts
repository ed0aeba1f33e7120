import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect, CUSTOM_PLAN } from '#server/platform/db/connect.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestDatabase } from '#server/testing/database.ts'

test('statements are planned once per connection, except those with a custom plan', async ({
  onTestFinished,
}) => {
  const connection = connect(await createTestDatabase(), createLog('silent'), { size: 1 })
  const { db } = connection
  onTestFinished(() => connection.close())
  const ask = (term: string) =>
    sql`${CUSTOM_PLAN} select id from lessons where title_folded like ${term}`.execute(db)
  for (let turn = 0; turn < 3; turn += 1) {
    await db.transaction().execute(async (tx) => {
      await sql`select count(*) as lessons from lessons`.execute(tx)
      await sql`
        with own as (select id from lessons where id = ${turn}) select id from own`.execute(tx)
    })
    await ask(`${turn}%`)
  }
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where statement like '%lessons%'
      and statement not like '%pg_prepared%' order by statement desc`.execute(db)
  expect(rows.map(({ statement }) => statement.trim())).toEqual([
    'select count(*) as lessons from lessons',
    'with own as (select id from lessons where id = $1) select id from own',
  ])
})
