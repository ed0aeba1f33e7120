/** Drops secondary indexes and foreign keys while `COPY` fills tables, and creates them again afterwards. */
import type pg from 'pg'

/**
 * Drops them on these tables in the caller's transaction and returns the statements that restore them. Other
 * sessions never see the tables without them.
 */
export async function dropSecondary(
  client: Pick<pg.ClientBase, 'query'>,
  tables: readonly string[],
): Promise<string[]> {
  const keys = await client.query<{ name: string; owner: string; definition: string }>(
    `select conname as name, conrelid::regclass::text as owner, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) order by 2, 1`,
    [tables],
  )
  const indexes = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = any($1::regclass[])
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by 1`,
    [tables],
  )
  for (const { name, owner } of keys.rows)
    await client.query(`alter table ${owner} drop constraint ${name}`)
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  await client.query(`set local maintenance_work_mem = '256MB'`)
  return [
    ...indexes.rows.map(({ definition }) => definition),
    ...keys.rows.map(
      ({ name, owner, definition }) => `alter table ${owner} add constraint ${name} ${definition}`,
    ),
  ]
}
