/**
 * Removes indexes, keys and unique constraints before tables are filled: created afterwards, each is one sort
 * instead of a lookup for every row. Returns the statements that restore all of them.
 */
import type pg from 'pg'

export interface Bare {
  /** By table: statements that create its indexes, also those of constraints; in any order, several at once. */
  readonly indexes: ReadonlyMap<string, readonly string[]>
  /** Turn indexes into constraints, once all exist. Each takes a moment. */
  readonly constraints: readonly string[]
  /** Foreign keys that are enforced only for new rows, after the constraints. Each takes a moment. */
  readonly keys: readonly string[]
  /** By table: statements that validate its foreign keys. */
  readonly proofs: ReadonlyMap<string, readonly string[]>
}

/** Strips tables that nobody else uses. Exclusion constraints stay. */
export async function stripTables(client: pg.Client, tables: readonly string[]): Promise<Bare> {
  const keys = await client.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and convalidated
       and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[])) order by 1, 2`,
    [tables],
  )
  const indexes = await client.query<{
    owner: string
    name: string
    definition: string
    kind: 'primary key' | 'unique' | null
    timing: string
  }>(
    `select i.indrelid::regclass::text as owner, i.indexrelid::regclass::text as name,
       pg_get_indexdef(i.indexrelid) as definition,
       case c.contype when 'p' then 'primary key' when 'u' then 'unique' end as kind,
       case when c.condeferrable then ' deferrable' else '' end ||
         case when c.condeferred then ' initially deferred' else '' end as timing
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype <> 'f'
     where i.indrelid = any($1::regclass[]) and c.contype is distinct from 'x' order by 1, 2`,
    [tables],
  )
  for (const { owner, name } of keys.rows)
    await client.query(`alter table ${owner} drop constraint ${name}`)
  for (const { owner, name, kind } of indexes.rows)
    await client.query(
      kind === null ? `drop index ${name}` : `alter table ${owner} drop constraint ${name}`,
    )
  return {
    indexes: byTable(indexes.rows, ({ definition }) => definition),
    constraints: indexes.rows.flatMap(({ owner, name, kind, timing }) =>
      kind === null
        ? []
        : [`alter table ${owner} add constraint ${name} ${kind} using index ${name}${timing}`],
    ),
    keys: keys.rows.map(
      ({ owner, name, definition }) =>
        `alter table ${owner} add constraint ${name} ${definition} not valid`,
    ),
    proofs: byTable(
      keys.rows,
      ({ owner, name }) => `alter table ${owner} validate constraint ${name}`,
    ),
  }
}

function byTable<Row extends { readonly owner: string }>(
  rows: readonly Row[],
  statementOf: (row: Row) => string,
): Map<string, string[]> {
  const grouped = Map.groupBy(rows, ({ owner }) => owner)
  return new Map([...grouped].map(([owner, found]) => [owner, found.map(statementOf)]))
}
