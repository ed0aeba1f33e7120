/** `npm run backup` makes a backup while the site runs, or verifies that one can be restored. */
import { setPriority } from 'node:os'
import { basename, dirname } from 'node:path'
import { openPlace, openSource, readPlace } from '#server/operate/backup/addresses.ts'
import { decryptIfNeeded } from '#server/operate/backup/archive/encryption.ts'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { NICE } from '#server/operate/backup/backup.ts'
import { openFolder, type Place } from '#server/operate/backup/places.ts'
import { readRetention } from '#server/operate/backup/retention.ts'
import { takeBackup } from '#server/operate/backup/take.ts'
import { verifyArchive } from '#server/operate/backup/verify.ts'
import { openDatabase } from '#server/platform/db/settings.ts'
import { openStorage } from '#server/platform/files/places/open-storage.ts'
import { readConfig, type Config } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import { readVersion } from '#server/platform/nodes/version.ts'
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
import { run } from '#scripts/status.mjs'

const HELP = `npm run backup -- FILE            writes database, files and keys to one archive, while the site runs
npm run backup -- --to PLACE      the same, to a new archive in a folder, or a bucket (s3://bucket with the keys of
                                  BACKUP_URL or S3_URL, or https://KEY:SECRET@host/bucket?region=…)
npm run backup                    the same, to BACKUP_URL
npm run backup -- --verify FILE   restores an archive into a throw-away database and audits it; the site may run

  --keep 7d,4w,12m   afterwards removes all archives in the place but the newest of each of the last 7 days, 4 weeks
                     and 12 months that have any
  --encrypt          asks for a passphrase; with BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE an archive is encrypted
                     anyway, in the format of age: age --decrypt reads it too

The settings are those of the server: DATABASE_URL, or the embedded database in DATA_DIR, and S3_URL. FILE is written
under another name until it is whole. An archive that is not encrypted holds the signing key and all that people wrote:
only its owner may read the file. Restore it with npm run restore.
`

function readWords() {
  return readArguments(HELP, {
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      keep: { type: 'string' },
      verify: { type: 'string' },
      encrypt: { type: 'boolean', default: false },
      // Set by the daily job: uses BACKUP_URL and BACKUP_KEEP, and records the backup as daily.
      daily: { type: 'boolean', default: false },
    },
  })
}

type Words = ReturnType<typeof readWords>

/** Returns the destination and the archive's name, if it is given. @throws BackupError */
async function findPlace(
  { values, positionals }: Words,
  config: Config,
): Promise<{ place: Place; name?: string }> {
  const log = createLog('silent')
  const [file, ...more] = positionals
  if (more.length > 0 || (file !== undefined && values.to !== undefined))
    throw new BackupError('Name one place: a file, or --to with a folder or a bucket.')
  if (file !== undefined) {
    if (values.keep !== undefined)
      throw new BackupError('--keep is for a place with several archives: name it by --to.')
    if (/^(?:s3|https?):\/\//.test(file)) throw new BackupError('Name a bucket by --to.')
    return { place: openFolder(dirname(file)), name: basename(file) }
  }
  const address = values.to === undefined ? config.BACKUP_URL : readPlace(values.to, config)
  if (address === undefined)
    throw new BackupError('Name a file, or a place by --to, or set BACKUP_URL.')
  return { place: await openPlace(address, log) }
}

async function make(words: Words, config: Config): Promise<void> {
  setPriority(NICE)
  const signal = stopWhenAsked()
  const { daily, encrypt } = words.values
  const keep = words.values.keep ?? (daily ? config.BACKUP_KEEP : undefined)
  const retention = keep === undefined ? null : readRetention(keep)
  const found = await findPlace(words, config)
  const known = config.BACKUP_PASSPHRASE ?? null
  const passphrase = known ?? (encrypt ? await askPassphrase('Passphrase: ') : null)
  const log = createLog('silent')
  const database = await openDatabase(config, () => {})
  try {
    const storage = await openStorage(config, log)
    const began = performance.now()
    try {
      const { bytes, rows, files, name, removed } = await takeBackup({
        ...found,
        connection: database.direct,
        storage,
        dataDir: config.DATA_DIR,
        log,
        version: readVersion(),
        hear: createProgress(),
        signal,
        passphrase,
        retention,
        daily,
        isNice: database.usedBy !== null,
      })
      const seconds = (performance.now() - began) / 1000
      say(
        `✓ ${found.place.label}/${name}: ${sizeOf(bytes)}, ${rows} rows, ${files} files, ${seconds.toFixed(1)} s${passphrase === null ? '' : ', encrypted'}.`,
      )
      if (removed.length > 0) say(`  Removed ${removed.join(', ')}.`)
      if (config.AUTH_SECRETS !== undefined)
        say('  AUTH_SECRETS is a setting of yours and not in it: store it elsewhere.')
    } finally {
      storage.close()
      found.place.close()
    }
  } finally {
    await database.stop()
  }
}

async function verify(file: string, config: Config): Promise<void> {
  const log = createLog('silent')
  const source = await openSource(file, config, log)
  const signal = stopWhenAsked()
  const began = performance.now()
  let passphrase: string | null = null
  const ask = async () =>
    (passphrase ??= config.BACKUP_PASSPHRASE ?? (await askPassphrase('Passphrase: ')))
  try {
    const { restored, report } = await verifyArchive(
      () => decryptIfNeeded(source.read(), ask),
      log,
      { hear: createProgress(), signal },
    )
    const { manifest, ending } = restored
    const isWell = sayAudit(report)
    const rows = Object.values(ending.rows).reduce((sum, count) => sum + count, 0)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    say(
      `${isWell ? '✓' : '✗'} ${file}: of ${manifest.madeAt}, version ${manifest.version}, ${rows} rows, ${ending.files} files; it ${isWell ? 'can be restored, and all in it is well' : 'can be restored, but not all in it is well'} (${seconds} s).`,
    )
    if (!isWell) process.exitCode = 1
  } finally {
    source.close()
  }
}

await run(async () => {
  const words = readWords()
  try {
    const config = readConfig(process.env)
    await (words.values.verify === undefined
      ? make(words, config)
      : verify(words.values.verify, config))
  } catch (error) {
    throw toFailure(error)
  }
})
// The parent process waits for the exit, and an open channel would delay it.
process.disconnect?.()
