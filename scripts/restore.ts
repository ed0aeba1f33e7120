/** `npm run restore` restores a backup into an empty installation. */
import { openSource } from '#server/operate/backup/addresses.ts'
import { decryptIfNeeded } from '#server/operate/backup/archive/encryption.ts'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { checkArchive, restoreBackup } from '#server/operate/backup/restore.ts'
import { signOutAll } from '#server/operate/backup/sign-out-all.ts'
import { proveRestored } from '#server/operate/backup/verify.ts'
import { listMigrations } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/settings.ts'
import { openStorage } from '#server/platform/files/places/open-storage.ts'
import { readConfig, type Config } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import {
  askPassphrase,
  createProgress,
  say,
  sayAudit,
  sizeOf,
  stopWhenAsked,
  toFailure,
} from '#scripts/backup/terminal.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { Failure, run } from '#scripts/status.mjs'

const HELP = `npm run restore -- FILE [--sign-out-all]
                          brings a backup into an empty installation of the same or a newer version, all of it or
                          nothing, and proves the result by the audit

FILE is an archive of npm run backup: a file, its name in BACKUP_URL, or s3://bucket/name with the keys of BACKUP_URL or
S3_URL. It goes to the database of DATABASE_URL, or the embedded one in DATA_DIR, and its files to DATA_DIR or the bucket
of S3_URL: all of them empty, and without a server. The PostgreSQL may be another version than the one it comes from.
BACKUP_PASSPHRASE, or BACKUP_PASSPHRASE_FILE, or an answer decrypts it.

--sign-out-all  ends all sessions, access tokens and links that set a password: those that ended after the backup was
                made would work again. Use it after a break-in
`

function readWords() {
  return readArguments(HELP, {
    allowPositionals: true,
    options: { 'sign-out-all': { type: 'boolean', default: false } },
  })
}

async function restore(file: string, config: Config, signsOut: boolean): Promise<void> {
  const log = createLog('silent')
  const source = await openSource(file, config, log)
  const signal = stopWhenAsked()
  const options = { hear: createProgress(), signal }
  let passphrase: string | null = null
  const ask = async () =>
    (passphrase ??= config.BACKUP_PASSPHRASE ?? (await askPassphrase('Passphrase: ')))
  const read = () => decryptIfNeeded(source.read(), ask)
  try {
    const began = performance.now()
    // Checks the archive before it creates anything.
    const { manifest } = await checkArchive(read, await listMigrations(), options)
    const database = await openDatabase(config, () => {})
    let isRestored = false
    try {
      if (database.usedBy !== null)
        throw new BackupError(
          `DATA_DIR (${config.DATA_DIR}) is in use by process ${database.usedBy}. Stop it first. Nothing was changed.`,
        )
      const storage = await openStorage(config, log)
      try {
        const needs = { connection: database.direct, storage, dataDir: config.DATA_DIR, log }
        const filled = () => {
          isRestored = true
        }
        const restored = await restoreBackup({ ...needs, ...options, filled }, read, manifest)
        const { ending, leftOut, migrated } = restored
        const rows = Object.values(ending.rows).reduce((sum, count) => sum + count, 0)
        const seconds = ((performance.now() - began) / 1000).toFixed(1)
        say(
          `✓ Restored the backup of ${manifest.madeAt}: ${rows} rows, ${ending.files - leftOut} files (${sizeOf(ending.fileBytes)}), ${seconds} s.`,
        )
        if (migrated > 0) say(`  Migrated the database: ${migrated} new.`)
        if (signsOut) {
          const { sessions, tokens } = await signOutAll(needs.connection, log)
          say(`  Ended ${sessions} sessions and ${tokens} access tokens.`)
        }
        if (config.AUTH_SECRETS !== undefined)
          say('  AUTH_SECRETS signs here: with other keys than before, everybody signs in again.')
        if (sayAudit(await proveRestored(needs, restored)))
          return say('✓ The audit found all well.')
        say('The audit found what is wrong above. It may have been so before: see npm run audit.')
        process.exitCode = 1
      } finally {
        storage.close()
      }
    } finally {
      // Removes a database that was created in vain, because it would occupy space.
      await (isRestored ? database.stop() : database.discard())
    }
  } finally {
    source.close()
  }
}

await run(async () => {
  const { positionals, values } = readWords()
  try {
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new Failure(HELP)
    await restore(file, readConfig(process.env), values['sign-out-all'] === true)
  } catch (error) {
    throw error instanceof Failure ? error : toFailure(error)
  }
})
