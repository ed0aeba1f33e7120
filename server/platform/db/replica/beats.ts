/** Heartbeats: rows that this process writes on the primary and looks for on the replica. */
import { performance } from 'node:perf_hooks'
import type pg from 'pg'

export interface Beat {
  readonly number: number
  /** The time before sending (performance.now()): everything committed by then precedes the beat. */
  readonly at: number
  /** The primary's system identifier and its newest migration. */
  readonly system: string
  readonly newest: string
}

export interface BeatsOptions {
  /** The key of this process's row. */
  readonly node: string
  readonly pool: pg.Pool
  onBeat(beat: Beat): void
  /** Checks the replica. Returns true when the next beat needn't wait for anything. Never throws. */
  look(): Promise<boolean>
}

/** In ms: the interval of beats, and the shorter one when somebody waits for a beat. */
const BEAT_MS = 1000
const HURRY_MS = 250
/** In ms: how soon the replica is checked again while it lacks the newest beat. */
const AGAIN_MS = 100

/** Rows of processes that ended long ago are deleted with the first beat of a new one. */
const CLEAR = `delete from replica_beats where beat_at < now() - interval '1 day'`
const BEAT = `with beaten as (
    insert into replica_beats (node, beat, beat_at) values ($1, $2, now())
    on conflict (node) do update set beat = excluded.beat, beat_at = excluded.beat_at
  )
  select (select system_identifier::text from pg_control_system()) as system,
    (select max(name) from migrations) as newest`

/** Sends beats and checks, one after the other, until it is stopped; failures are retried with the next beat. */
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
    // Without the primary there are no beats, so the replica becomes too old to use.
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
      // A running round plans the next one at its end.
      if (planned !== Number.POSITIVE_INFINITY && planned > dueAt()) plan(dueAt())
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
