/** Statements that are compiled once: building the text of a hot one each time costs as much as a small query. */
import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** Stands for a value while the statement is compiled. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * `build` sees a stand-in for each value, once; what it must not do is decide by a value, for it never sees one.
 * Answers a function that runs the statement with the values of a call.
 */
export function compileOnce<Values extends Readonly<Record<string, unknown>>, Row>(
  names: readonly (keyof Values & string)[],
  build: (db: Db, values: Values) => CompiledQuery<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // The stand-ins travel through the builders as the values would.
  const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as unknown as Values
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, slots)
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    )
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

/**
 * An array parameter whose length the planner does not see. Of a short one it takes the plan for its values to be
 * cheaper than one for all, and plans the statement again at each call.
 */
export function arrayOf<Value>(
  type: 'bigint' | 'integer' | 'text' | 'uuid',
  values: readonly Value[],
): RawBuilder<Value[]> {
  return sql<Value[]>`(select ${values}::${sql.raw(type)}[])::${sql.raw(type)}[]`
}
