/** Administrators: nobody becomes one through the API. */
import pg from 'pg'
import { setRole } from '#server/accounts/store.ts'
import { connect } from '#server/db/connect.ts'
import { EmbeddedFailure } from '#server/db/embedded-failure.ts'
import { migrate, NewerSchemaError } from '#server/db/migrate.ts'
import { DatabaseError, openDatabase } from '#server/db/settings.ts'
import { ConfigError, readConfig, type Config } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'

const HELP = `npm run admin -- grant <username>    makes a person an administrator
npm run admin -- revoke <username>   makes an administrator a person like all

The name in any case. The database is that of DATABASE_URL, or the embedded one in DATA_DIR, which may be
running. It counts from the person's next click on; nobody need sign in again.`

const SENTENCES = [ConfigError, DatabaseError, EmbeddedFailure, NewerSchemaError]
const ROLES = { grant: 'administrator', revoke: 'user' } as const

class UsageError extends Error {}

/** @throws UsageError when there is nobody of that name */
async function changeRole(config: Config, username: string, role: 'administrator' | 'user') {
  const database = await openDatabase(config, () => {})
  try {
    const pool = new pg.Pool({ ...database.direct, max: 1 })
    await migrate(pool).finally(() => pool.end())
    const connection = connect(database.connection, createLog('silent'), { size: 1 })
    const changed = await setRole(connection.db, username, role).finally(() => connection.close())
    if (changed === null) throw new UsageError(`There is nobody called ${username}.`)
    return changed
  } finally {
    await database.stop()
  }
}

async function run(command: string | undefined, username: string | undefined): Promise<void> {
  if (command === '--help' || command === undefined) return console.log(HELP)
  if (command === 'reset') throw new UsageError('Printing a reset link comes with the mails.')
  if (command !== 'grant' && command !== 'revoke') throw new UsageError(HELP)
  if (username === undefined) throw new UsageError(HELP)
  const name = await changeRole(readConfig(process.env), username, ROLES[command])
  console.log(
    command === 'grant' ? `${name} is an administrator now.` : `${name} is no administrator now.`,
  )
}

try {
  const [command, ...words] = process.argv.slice(2)
  await run(command, words.join(' ').trim() || undefined)
} catch (error) {
  const known = error instanceof UsageError || SENTENCES.some((kind) => error instanceof kind)
  if (!known) throw error
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
