/**
 * The schema in which a restore fills its tables, which nobody else reads. They are committed one by one there, so
 * that several connections can create their indexes; one transaction at the end moves all of them to their place.
 */
import pg from 'pg'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { LOCK_SPACES } from '#server/platform/db/locks.ts'

const STAGE = 'restore_unfinished'

export interface Stage {
  /** The schema that the tables come from and return to. */
  readonly home: string
  /** The search path of sessions that use the stage. */
  readonly searchPath: string
}

/** Excludes other restores until the session ends. @throws BackupError while there is one */
export async function holdRestore(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock($1) as held',
    [LOCK_SPACES.restores],
  )
  if (rows[0]?.held !== true)
    throw new BackupError(
      'Another restore into this database is under way. Wait for its end. Nothing was changed.',
    )
}

/** Removes what an interrupted restore has left. */
export async function dropStage(client: pg.Client): Promise<void> {
  await client.query(`drop schema if exists ${STAGE} cascade`)
}

/**
 * Moves the empty tables to the stage and sets the session's search path. A server that starts meanwhile waits for
 * the migration lock until `allowStarts`. @throws BackupError when a server is just starting
 */
export async function enterStage(client: pg.Client): Promise<Stage> {
  const { rows: locks } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock($1) as held',
    [LOCK_SPACES.migrations],
  )
  if (locks[0]?.held !== true)
    throw new BackupError('A server starts on this database. Stop it first. Nothing was changed.')
  const { rows } = await client.query<{ home: string; path: string }>(
    `select current_schema()::text as home, current_setting('search_path') as path`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('a session has no schema')
  await client.query('begin')
  await client.query(`create schema ${STAGE}`)
  await moveAll(client, found.home, STAGE)
  await client.query('commit')
  const searchPath = `${STAGE}, ${found.path}`
  await setSearchPath(client, searchPath)
  return { home: found.home, searchPath }
}

/** Lets servers start again. */
export async function allowStarts(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [LOCK_SPACES.migrations])
}

/** Makes a session find the tables of a stage first. */
export async function setSearchPath(client: pg.Client, searchPath: string): Promise<void> {
  await client.query(`select set_config('search_path', $1, false)`, [searchPath])
}

/**
 * Moves the filled tables back, in the caller's transaction.
 * @throws BackupError when somebody has created tables there meanwhile
 */
export async function leaveStage(client: pg.Client, { home }: Stage): Promise<void> {
  const { rows } = await client.query(
    `select from pg_class where relnamespace = $1::regnamespace and relname = 'migrations'`,
    [pg.escapeIdentifier(home)],
  )
  if (rows.length > 0)
    throw new BackupError(
      'Somebody made tables in this database meanwhile. Begin again with an empty one. Nothing of the backup was stored.',
    )
  await moveAll(client, STAGE, home)
  // Fails if anything was left in it.
  await client.query(`drop schema ${STAGE}`)
}

/**
 * Moves tables with everything that belongs to them, and functions, because migrations that create a function fail
 * if it exists.
 */
async function moveAll(client: pg.Client, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %I.%I set schema %I', n.nspname, c.relname, $2::text) as statement
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     union all
     select format('alter function %I.%I(%s) set schema %I', n.nspname, p.proname,
         pg_get_function_identity_arguments(p.oid), $2::text)
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = $1 and p.prokind = 'f'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    [from, to],
  )
  for (const { statement } of rows) await client.query(statement)
}
