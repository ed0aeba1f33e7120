/**
 * A replica for reads that may be a second old. How far it has come is measured by data: a row that this process
 * writes on the primary every second, and looks for on the replica. A replica repeats what the primary did in its
 * order, so whoever finds a beat there finds all that was committed before it, whatever clocks or positions say.
 */
import { performance } from 'node:perf_hooks'
import type { ClientConfig } from 'pg'
import { connect, type Connection, type Db, type StatementMeter } from '#server/db/connect.ts'
import { openPool, type BoundedPool } from '#server/db/pool.ts'
import { startBeats, type Beat } from '#server/db/replica/beats.ts'
import { judgeReplica, lookAt, sentenceOf, type Look } from '#server/db/replica/looks.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Log } from '#server/kernel/log.ts'
import { PartAway } from '#server/kernel/process/health.ts'

export interface Replica {
  /** Reads there, and on the primary where that fails. */
  readonly db: Db
  /**
   * All that was committed before this moment (performance.now()) is there; -Infinity while nothing may be read there.
   */
  asOf(): number
  /** Something has changed that readers wait for: the next beat is to come soon. */
  hurry(): void
  /** Its connections. */
  readonly pool: BoundedPool
  /** For `/readyz`. @throws PartAway in words that name the setting */
  check(): Promise<void>
  close(): Promise<void>
}

export interface Servers {
  readonly settings: ClientConfig
  /** The primary: where it is, and its open connection for reads that the replica fails. */
  readonly primary: ClientConfig
  readonly connection: Connection
}

export interface ReplicaOptions {
  readonly log: Log
  readonly prepare: boolean
  readonly pooled: boolean
  readonly meter: StatementMeter
  /** Called about once a second with the seconds that it is behind. */
  onLag(seconds: number): void
}

/** Lag beyond which nothing is read there. */
export const MOST_LAG_MS = 5000
/** A look that takes longer says that nobody answers. */
const SILENT_MS = 2000
/** Beats that are remembered: what is found later than so many is too old anyway. */
const MOST_BEATS = 64

/** Opens it and begins to measure; nothing is read there before the first beat was found. Never throws. */
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
    // Until it is found again, nobody else is to wait for it.
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

/** What is known of a replica: how far it has come, and what is wrong with it. */
function createState(log: Log) {
  const beats: Beat[] = []
  const begunAt = performance.now()
  let asOf = LOST
  /** Of the newest beat that was found, and how long after it. */
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
    /** It is to be looked for from now on. */
    expect: (beat: Beat) => {
      beats.push(beat)
      if (beats.length > MOST_BEATS) beats.shift()
    },
    /** Judges what the replica says of itself, when `newest` was the newest beat. */
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
    /** In words; null: none. In the beginning nothing is said of one that has not been asked yet. */
    problem: () => said ?? (isLate() ? sentenceOf('behind') : null),
  }
}
