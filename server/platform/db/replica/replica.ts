/**
 * A replica for reads that may be a second old. Its progress is measured by data: this process writes a row on the
 * primary every second and looks for it on the replica. A replica replays changes in order, so when a beat has
 * arrived, so has everything committed before it, regardless of clocks and WAL positions.
 */
import { performance } from 'node:perf_hooks'
import type { ClientConfig } from 'pg'
import {
  connect,
  type Connection,
  type Db,
  type StatementMeter,
} from '#server/platform/db/connect.ts'
import { openPool, type BoundedPool } from '#server/platform/db/pool.ts'
import { startBeats, type Beat } from '#server/platform/db/replica/beats.ts'
import { judgeReplica, lookAt, sentenceOf, type Look } from '#server/platform/db/replica/looks.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Log } from '#server/kernel/log.ts'
import { PartAway } from '#server/kernel/process/health.ts'

export interface Replica {
  /** Reads from the replica, and from the primary if that fails. */
  readonly db: Db
  /**
   * Everything committed before this time (performance.now()) is on the replica; -Infinity while it must not be
   * used.
   */
  asOf(): number
  /** Asks for an earlier beat, because readers wait for a change. */
  hurry(): void
  readonly pool: BoundedPool
  /** For `/readyz`. @throws PartAway with a message that names the setting */
  check(): Promise<void>
  close(): Promise<void>
}

export interface Servers {
  readonly settings: ClientConfig
  /** The primary's address, and its open connection for reads that fail on the replica. */
  readonly primary: ClientConfig
  readonly connection: Connection
}

export interface ReplicaOptions {
  readonly log: Log
  readonly prepare: boolean
  readonly pooled: boolean
  readonly meter: StatementMeter
  /** Called about once a second with the lag in seconds. */
  onLag(seconds: number): void
}

/** In ms; with a longer lag nothing is read from the replica. */
export const MOST_LAG_MS = 5000
/** In ms; a slower check counts as no response. */
const SILENT_MS = 2000
/** A beat that arrives later than this many others is too old anyway. */
const MOST_BEATS = 64

/** Starts measuring; nothing is read from the replica before it has the first beat. Never throws. */
export function openReplica(
  { settings, primary, connection }: Servers,
  options: ReplicaOptions,
): Replica {
  const { log, prepare, pooled, meter } = options
  const state = createState(log)
  const reader = connect(settings, log, {
    prepare,
    pooled,
    meter,
    // No other reader should wait for it until a check succeeds again.
    reads: { name: 'replica', fallback: connection, onLost: () => state.lose() },
  })
  const looking = openPool(settings, log, { work: 'beats', size: 1, pooled })
  const beating = openPool(primary, log, { work: 'beats', size: 1, pooled })
  const node = newId(Date.now())

  const look = async () => {
    const newest = state.newest()
    if (newest === undefined) return true
    const askedAt = performance.now()
    const silent = setTimeout(() => {
      state.lose()
      for (const pool of [looking, reader.pool]) pool.giveUpIfSilentSince(askedAt)
    }, SILENT_MS)
    try {
      state.take(await lookAt(looking, node), newest)
    } catch (error) {
      state.lose()
      state.say(sentenceOf('away'), error)
    } finally {
      clearTimeout(silent)
    }
    const lag = state.lagMs()
    if (lag !== null) options.onLag(lag / 1000)
    return state.asOf() === newest.at || state.asOf() === LOST
  }
  const beater = startBeats({ node, pool: beating, onBeat: (beat) => state.expect(beat), look })
  return {
    db: reader.db,
    pool: reader.pool,
    asOf: () => state.asOf(),
    hurry: () => beater.hurry(),
    check: async () => {
      const wrong = state.problem()
      if (wrong !== null) throw new PartAway(wrong)
    },
    close: async () => {
      await beater.stop()
      await Promise.all([reader.close(), looking.end(), beating.end()])
    },
  }
}

const LOST = Number.NEGATIVE_INFINITY

function createState(log: Log) {
  const beats: Beat[] = []
  const begunAt = performance.now()
  let asOf = LOST
  /** The time of the newest beat that has arrived, and its delay in ms. */
  let foundAt = LOST
  let foundInMs = 0
  let said: string | null = null

  const say = (sentence: string | null, error?: unknown) => {
    if (sentence === said) return
    if (sentence === null) log.warn({ part: 'replica' }, 'the replica is read from again')
    else log.warn({ part: 'replica', ...(error !== undefined && { err: error }) }, sentence)
    said = sentence
  }
  const isLate = () => performance.now() - Math.max(asOf, begunAt) > MOST_LAG_MS
  return {
    asOf: () => asOf,
    newest: () => beats.at(-1),
    lose: () => {
      asOf = LOST
    },
    say,
    /** Adds a beat to look for. */
    expect: (beat: Beat) => {
      beats.push(beat)
      if (beats.length > MOST_BEATS) beats.shift()
    },
    /** Evaluates a check of the replica; `newest` was the newest beat when it began. */
    take: (look: Look, newest: Beat) => {
      const wrong = judgeReplica(look, newest)
      const found = wrong === null && beats.find(({ number }) => number === look.beat)
      if (wrong !== null) asOf = LOST
      if (found) {
        if (found.at > foundAt) foundInMs = performance.now() - found.at
        asOf = found.at
        foundAt = found.at
      }
      say(wrong !== null ? sentenceOf(wrong) : isLate() ? sentenceOf('behind') : null)
    },
    /** Null before the first beat. */
    lagMs: () => {
      const waiting = beats.find(({ at }) => at > foundAt)
      if (waiting !== undefined) return performance.now() - waiting.at
      return foundAt === LOST ? null : foundInMs
    },
    /** Returns the problem as a sentence, or null, also while the replica hasn't been checked yet. */
    problem: () => said ?? (isLate() ? sentenceOf('behind') : null),
  }
}
