/** What only whoever runs the product may do: make administrators, let somebody back in without mail, count again. */
import { lockIdentity } from '#server/accounts/identity.ts'
import { addLink, createLinkSecrets } from '#server/accounts/mails/links.ts'
import { findCredentials, revokeAdministrator, setRole } from '#server/accounts/store.ts'
import { connect, type Db } from '#server/db/connect.ts'
import { EmbeddedFailure } from '#server/db/embedded/failure.ts'
import { migrate, NewerSchemaError } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { DatabaseError, openDatabase } from '#server/db/settings.ts'
import { migrateQueue } from '#server/jobs/queue.ts'
import { recountNumbers } from '#server/items/recount.ts'
import { readAddress } from '#server/kernel/process/running.ts'
import { ConfigError, readConfig, type Config } from '#server/kernel/config.ts'
import { readSecrets } from '#server/kernel/keys.ts'
import { createLog } from '#server/kernel/log.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'

const HELP = `npm run admin -- grant <username>    makes a person an administrator
npm run admin -- revoke <username>   makes an administrator a person like all
                                     (the last one only with --force behind the name)
npm run admin -- reset <username>    prints a link at which the person sets a new password: once, within an hour
npm run admin -- recount             counts likes and comments on cards again, while the server runs on
npm run admin -- migrate             brings the database to this version, and ends: before its first node starts

The name in any case. The database is that of DATABASE_URL, or the embedded one in DATA_DIR, which may be
running. A right counts from the person's next click on; nobody need sign in again. The link begins with
PUBLIC_URL, or the address of the server that runs on DATA_DIR, or http://localhost:PORT; whoever has it can take the
account, so hand it over in private.`

const SENTENCES = [ConfigError, DatabaseError, EmbeddedFailure, NewerSchemaError]

class UsageError extends Error {}

/** @throws UsageError for null: there is nobody of that name */
async function inDatabase<Value>(
  config: Config,
  username: string,
  act: (db: Db) => Promise<Value | null>,
): Promise<Value> {
  const database = await openDatabase(config, () => {})
  try {
    const log = createLog('silent')
    const pool = openPool(database.direct, log, { work: 'migrations', size: 1 })
    await migrate(pool).finally(() => pool.end())
    const connection = connect(database.direct, log, { size: 1 })
    const done = await act(connection.db).finally(() => connection.close())
    if (done === null) throw new UsageError(`There is nobody called ${username}.`)
    return done
  } finally {
    await database.stop()
  }
}

/** Answers the link, null when there is nobody of that name. */
async function makeResetLink(config: Config, db: Db, username: string): Promise<string | null> {
  const person = await findCredentials(db, username)
  if (person === undefined) return null
  const [secret] = await readSecrets(config.AUTH_SECRETS, config.DATA_DIR)
  const secretOf = createLinkSecrets(secret)
  const link = { kind: 'reset', userId: person.id, email: null } as const
  const id = await db.transaction().execute(async (tx) => {
    await lockIdentity(tx, person.id)
    return addLink(tx, secretOf, link, new Date())
  })
  const running = config.PUBLIC_URL ?? (await readAddress(config.DATA_DIR))
  const origin = running ?? `http://localhost:${config.PORT}`
  return `${origin}/password/reset?token=${secretOf(id)}`
}

/** @throws UsageError for the last one, unless it is forced */
async function revoke(config: Config, username: string, isForced: boolean): Promise<string> {
  const done = await inDatabase(config, username, (db) =>
    revokeAdministrator(db, username, isForced),
  )
  if (done !== 'last') return done.username
  throw new UsageError(
    `${username} is the last administrator: nobody could delete, suspend or answer reports any more. Make another ` +
      `one first (npm run admin -- grant <username>), or add --force.`,
  )
}

/** Answers a sentence. Lessons come first: a course sums up the comments of its lessons. */
async function recount(config: Config): Promise<string> {
  const corrected = await inDatabase(config, '', async (db) => {
    const lessons = await recountNumbers(db, 'lesson')
    return { lessons, courses: await recountNumbers(db, 'course') }
  })
  return `Corrected the numbers of ${corrected.lessons} lessons and ${corrected.courses} courses.`
}

/** What every start does besides. Answers a sentence. */
async function migrateAll(config: Config): Promise<string> {
  const database = await openDatabase(config, () => {})
  const log = createLog('warn')
  const pool = openPool(database.direct, log, { work: 'migrations', size: 1 })
  try {
    const applied = await migrate(pool)
    await migrateQueue(pool, log)
    return `The database is at this version: ${applied.length} new migrations.`
  } finally {
    await pool.end()
    await database.stop()
  }
}

async function run(
  command: string | undefined,
  username: string | undefined,
  isForced: boolean,
): Promise<void> {
  if (command === '--help' || command === undefined) return console.log(HELP)
  if (command === 'recount') return console.log(await recount(readConfig(process.env)))
  if (command === 'migrate') return console.log(await migrateAll(readConfig(process.env)))
  if (command !== 'grant' && command !== 'revoke' && command !== 'reset') throw new UsageError(HELP)
  if (username === undefined) throw new UsageError(HELP)
  const config = readConfig(process.env)
  if (command === 'reset') {
    const link = await inDatabase(config, username, (db) => makeResetLink(config, db, username))
    return console.log(link)
  }
  if (command === 'revoke')
    return console.log(`${await revoke(config, username, isForced)} is no administrator now.`)
  const name = await inDatabase(config, username, (db) => setRole(db, username, 'administrator'))
  console.log(`${name} is an administrator now.`)
}

try {
  const [command, ...words] = process.argv.slice(2)
  const name = words.filter((word) => word !== '--force').join(' ')
  await run(command, name.trim() || undefined, words.includes('--force'))
} catch (error) {
  const known = error instanceof UsageError || SENTENCES.some((kind) => error instanceof kind)
  const sentence = known && error instanceof Error ? error.message : sentenceOf(error)
  if (sentence === null) throw error
  console.error(sentence)
  process.exitCode = 1
}
