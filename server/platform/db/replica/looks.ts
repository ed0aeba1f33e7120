/** Checks a server as a replica. The messages for its problems name DATABASE_REPLICA_URL. */
import pg from 'pg'

export interface Look {
  /** The server is a standby. */
  readonly follows: boolean
  readonly system: string
  /** Null if it has none of our migrations. */
  readonly newest: string | null
  /** The newest beat of this process that has arrived. */
  readonly beat: number | null
}

/** What we know of the primary. */
export interface Known {
  readonly system: string
  readonly newest: string
}

const SENTENCES = {
  away: "The replica of DATABASE_REPLICA_URL can't be reached, so all is read from the primary until it answers. Start it, or correct or unset DATABASE_REPLICA_URL.",
  behind:
    'The replica of DATABASE_REPLICA_URL is more than 5 seconds behind, so all is read from the primary until it has caught up. Look at its load, and at its connection to the primary (pg_stat_replication there).',
  stranger:
    'DATABASE_REPLICA_URL leads to another database cluster than DATABASE_URL (their system identifiers differ), so nothing is read there. Let it lead to a streaming replica of the server of DATABASE_URL, or unset it.',
  primary:
    'DATABASE_REPLICA_URL leads to a server that follows no other (pg_is_in_recovery() is false), so nothing is read there. Let it lead to a streaming replica of the server of DATABASE_URL, or unset it.',
  older:
    'The replica of DATABASE_REPLICA_URL has an older schema than the primary, so nothing is read there until it has followed. If that lasts, look at its connection to the primary, or make it anew.',
} as const

export type Wrong = keyof typeof SENTENCES

export const sentenceOf = (wrong: Wrong): string => SENTENCES[wrong]

const LOOK = `select pg_is_in_recovery() as follows,
    (select system_identifier::text from pg_control_system()) as system,
    (select max(name) from migrations) as newest,
    (select beat from replica_beats where node = $1) as beat`
/** The same for a server without those tables. */
const BARE = `select pg_is_in_recovery() as follows,
    (select system_identifier::text from pg_control_system()) as system,
    null as newest, null as beat`
const NO_TABLE = '42P01'

/** @throws errors of the connection */
export async function lookAt(pool: Pick<pg.Pool, 'query'>, node: string): Promise<Look> {
  const found = await pool.query<Look>(LOOK, [node]).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === NO_TABLE) return pool.query<Look>(BARE)
    throw error
  })
  const [look] = found.rows
  if (look === undefined) throw new Error('the replica answered nothing')
  return look
}

/** Returns what is wrong with a server as a replica of the primary, or null. The lag is checked elsewhere. */
export function judgeReplica(look: Look, primary: Known): Wrong | null {
  if (look.system !== primary.system) return 'stranger'
  if (!look.follows) return 'primary'
  if (look.newest === null || look.newest < primary.newest) return 'older'
  return null
}
