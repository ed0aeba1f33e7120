/**
 * What many ask for at once is done by one statement or transaction; where one of them spoils that, or holds it up, by
 * one for each, so that nobody is refused for what concerns another.
 */
import { sql, type RawBuilder } from 'kysely'

/** Longer none of many waits for a lock that somebody holds on what one of them is about. */
export const PATIENCE_MS = 200
const LOCK_NOT_HAD = '55P03'
/** A lock that was not had in time, a deadlock, a value or a constraint. Nothing was written then. */
const ONE_SPOILED_IT = /^(?:55P03|40...|22...|23...)$/

/** Whether PostgreSQL failed for what one of many wants, so that the others may be done without it. */
function isSpoiledByOne(error: unknown): boolean {
  return ONE_SPOILED_IT.test(codeOf(error))
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Does some items at once, and answers each in its place. `patienceMs` null: they wait for locks as everybody does. */
type Work<Item, Result> = (
  items: readonly Item[],
  patienceMs: number | null,
) => Promise<readonly Result[]>

/**
 * All of them together; where one spoils that or holds it up, part by part, none of which waits for another, and where
 * one spoils its part, each for itself. `partOf`: what those have in common who wait for the same; who has nothing in
 * common is a part alone.
 */
export async function togetherOrApart<Item, Result>(
  items: readonly Item[],
  work: Work<Item, Result>,
  partOf: (item: Item) => unknown = (item) => item,
): Promise<readonly (Result | Promise<Result>)[]> {
  if (items.length === 1) return work(items, null)
  try {
    return await work(items, PATIENCE_MS)
  } catch (error) {
    if (!isSpoiledByOne(error)) throw error
  }
  const results = new Map<Item, Promise<Result>>()
  for (const part of Map.groupBy(items, partOf).values()) {
    const done = doPart(part, work)
    for (const [place, item] of part.entries()) results.set(item, resultAt(done, place))
  }
  return items.map((item) => resultAt([results.get(item)], 0))
}

async function doPart<Item, Result>(
  part: readonly Item[],
  work: Work<Item, Result>,
): Promise<readonly (Result | Promise<Result>)[]> {
  try {
    return await work(part, null)
  } catch (error) {
    // Who waited in vain for what all of them want does so once.
    if (part.length === 1 || !isSpoiledByOne(error) || codeOf(error) === LOCK_NOT_HAD) throw error
  }
  return part.map((item) => resultAt(work([item], null), 0))
}

async function resultAt<Result>(
  results:
    | Promise<readonly (Result | Promise<Result>)[]>
    | readonly (Promise<Result> | undefined)[],
  place: number,
): Promise<Result> {
  const result = (await results)[place]
  if (result === undefined) throw new Error('what was done together left one without its result')
  return result
}

/**
 * Part of a statement, to stand first after `with`: `patience`, one row. Whoever reads it waits for locks no longer than
 * so many milliseconds, until the transaction ends; null: as long as everybody.
 */
export function patienceCte(patienceMs: number | null): RawBuilder<unknown> {
  return sql`patience as materialized (
    select set_config('lock_timeout', coalesce(${patienceMs}::integer::text, current_setting('lock_timeout')), true)
  )`
}
