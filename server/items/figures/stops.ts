/** Where lessons lose their viewers. */
import { sql } from 'kysely'
import type { Curve, Figures, Stop } from '#contract/figures.ts'
import { CURVE_STEPS } from '#contract/figures.ts'
import type { DbOrTx } from '#server/platform/db/connect.ts'

const MOST = 3
/** A smaller part of the viewers stops everywhere. */
const LEAST_PART = 0.15

interface Drop extends Pick<Stop, 'id' | 'stopped' | 'viewers' | 'from' | 'to'> {
  readonly part: number
}

/** Returns the author's lessons that lose the largest parts of their viewers at one place, the largest first. */
export async function findStops(db: DbOrTx, ownerId: string): Promise<Figures['stops']> {
  const { rows } = await sql<Curve & { readonly id: number }>`
    select lesson_id as id, viewers, length, reached from lesson_curves where owner_id = ${ownerId}`.execute(
    db,
  )
  const drops = rows
    .map(findDrop)
    .filter(({ part }) => part >= LEAST_PART)
    .toSorted((one, other) => other.part - one.part || other.viewers - one.viewers)
    .slice(0, MOST)
  const titles = await readTitles(
    db,
    drops.map(({ id }) => id),
  )
  return drops.flatMap(({ id, stopped, viewers, from, to }) => {
    const title = titles.get(id)
    return title === undefined ? [] : [{ id, title, stopped, viewers, from, to }]
  })
}

/** The part of the video in which most viewers stop. */
function findDrop({ id, viewers, length, reached }: Curve & { readonly id: number }): Drop {
  const stops = reached.map((count, step) => (reached[step - 1] ?? viewers) - count)
  const stopped = Math.max(...stops)
  const step = stops.indexOf(stopped)
  return {
    id,
    viewers,
    stopped,
    part: stopped / viewers,
    from: Math.round((step * length) / CURVE_STEPS),
    to: Math.round(((step + 1) * length) / CURVE_STEPS),
  }
}

async function readTitles(db: DbOrTx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; title: string }>`
    select c.lesson_id as id, c.title from lesson_contents c join lessons l on l.id = c.lesson_id
    where c.lesson_id = any(${ids}::bigint[]) and l.deleted_at is null`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
