/** The beats of this process on the primary, and how often the replica is asked for them. */
import { performance } from 'node:perf_hooks'
import type pg from 'pg'

export interface Beat {
  readonly number: number
  /** Before it was sent (performance.now()): what was committed by then stands before it. */
  readonly at: number
  /** Of the primary: its system identifier, and its newest migration. */
  readonly system: string
  readonly newest: string
}

export interface BeatsOptions {
  /** The key of this process's row. */
  readonly node: string
  readonly pool: pg.Pool
  onBeat(beat: Beat): void
  /** Asks the replica. Answers true when there is nothing to wait for before the next beat. Never throws. */
  look(): Promise<boolean>
}

/** From one beat to the next, and when somebody waits for it. */
const BEAT_MS = 1000
const HURRY_MS = 250
/** How soon the replica is asked again while it has not come to the newest beat. */
const AGAIN_MS = 100

/** Rows of processes that ended long ago go with the first beat of a new one. */
const CLEAR = `delete from replica_beats where beat_at < now() - interval '1 day'`
const BEAT = `with beaten as (
    insert into replica_beats (node, beat, beat_at) values ($1, $2, now())
    on conflict (node) do update set beat = excluded.beat, beat_at = excluded.beat_at
  )
  select (select system_identifier::text from pg_control_system()) as system,
    (select max(name) from migrations) as newest`

/** Beats and looks, one after the other, until it is stopped; what fails is tried again with the next beat. */
export function startBeats(options: BeatsOptions): {
  hurry(): void
  stop(): Promise<void>
} {
  const { node, pool } = options
  let number = 0
  let beatAt = Number.NEGATIVE_INFINITY
  let isHurried = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let planned = Number.POSITIVE_INFINITY

  const beat = async () => {
    const at = performance.now()
    beatAt = at
    isHurried = false
    if (number === 0) await pool.query(CLEAR)
    number += 1
    const { rows } = await pool.query<{ system: string; newest: string }>(BEAT, [node, number])
    const [row] = rows
    if (row !== undefined) options.onBeat({ number, at, ...row })
  }
  const dueAt = () => beatAt + (isHurried ? HURRY_MS : BEAT_MS)
  const round = async () => {
    // Without the primary there are no beats; the replica then grows too old by itself.
    if (performance.now() >= dueAt()) await beat().catch(() => undefined)
    const isDone = await options.look()
    plan(isDone ? dueAt() : Math.min(dueAt(), performance.now() + AGAIN_MS))
  }
  const plan = (at: number) => {
    if (isStopped) return
    clearTimeout(timer)
    planned = at
    timer = setTimeout(
      () => {
        planned = Number.POSITIVE_INFINITY
        running = round()
      },
      Math.max(0, at - performance.now()),
    ).unref()
  }
  plan(performance.now())
  return {
    hurry: () => {
      isHurried = true
      // While a round is under way, its end plans the next.
      if (planned !== Number.POSITIVE_INFINITY && planned > dueAt()) plan(dueAt())
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
