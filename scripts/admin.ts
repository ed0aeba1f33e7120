/** Commands for operators only: make administrators, restore access to an account, recount, move files. */
import { join } from 'node:path'
import { forgetFactors } from '#server/people/accounts/factors/factors.ts'
import { lockIdentity } from '#server/people/accounts/identity.ts'
import { addLink, createLinkSecrets } from '#server/people/accounts/mails/links.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import {
  findCredentials,
  listAdministrators,
  revokeAdministrator,
  setRole,
} from '#server/people/accounts/store.ts'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { rotateKey, SEALED_FOR } from '#server/items/certificates/credential/keys.ts'
import { connect, type Db } from '#server/platform/db/connect.ts'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { SchemaError } from '#server/platform/db/migrate.ts'
import { DatabaseError, openDatabase } from '#server/platform/db/settings.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { CopyError, moveFiles, type MoveCounts } from '#server/platform/files/places/move.ts'
import { S3Failure } from '#server/platform/files/s3/failure.ts'
import { openS3Storage } from '#server/platform/files/s3/start.ts'
import { recountNumbers } from '#server/items/shared/recount.ts'
import { MailFailure } from '#server/platform/mail/transport.ts'
import { readAddress } from '#server/kernel/process/running.ts'
import { readConfig, type Config } from '#server/kernel/config.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { readSecrets } from '#server/kernel/keys.ts'
import { createLog } from '#server/kernel/log.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'
import { migrateDatabase } from '#server/operate/upgrade/migrate.ts'
import { createAdministrator } from '#scripts/admin/create.ts'
import { sendTestMail } from '#scripts/admin/test-mail.ts'
import { Failure } from '#scripts/status.mjs'
import { readArguments } from '#scripts/arguments.mjs'

const HELP = `npm run admin -- grant <username>    makes a person an administrator
npm run admin -- create <username> <e-mail>  creates an administrator's account and prints a link at which that person
                                     sets a password; if that person has an account already, the same as grant
npm run admin -- list                prints the names of the administrators, and ends with 1 if there is none
npm run admin -- revoke <username>   makes an administrator a person like all
                                     (the last one only with --force behind the name)
npm run admin -- reset <username>    prints a link at which the person sets a new password: once, within an hour
npm run admin -- forget-factor <username>  takes app, passkeys and codes of a person away who lost them
npm run admin -- recount             counts likes and comments on cards again, while the server runs on
npm run admin -- test-mail <e-mail>  sends a mail by SMTP_URL at once, and says what the mail server answers
npm run admin -- migrate             brings the database to this version, and ends: before its first node starts
npm run admin -- files move          copies all files to where FILES_IN says (the bucket of S3_URL, or DATA_DIR) and
                                     compares each copy, while the server runs; run again it goes on where it was
                                     (with --remove the originals go once their copies are compared)
npm run admin -- certificates rotate signs credentials of certificates with a new key, while the server runs; what the
                                     old one signed stays good (with --remove it does not: after a leak)

The name in any case. The database is that of DATABASE_URL, or the embedded one in DATA_DIR, which may be
running. A right counts from the person's next click on; nobody need sign in again. The link begins with
PUBLIC_URL, or the address of the server that runs on DATA_DIR, or http://localhost:PORT; whoever has it can take the
account, so hand it over in private.`

const SENTENCES = [
  BackupError,
  ConfigError,
  CopyError,
  DatabaseError,
  EmbeddedFailure,
  SchemaError,
  S3Failure,
  Failure,
  MailFailure,
]

/** Commands that take a username. */
const OF_A_PERSON = ['grant', 'revoke', 'reset', 'forget-factor']

class UsageError extends Error {}

/** @throws UsageError when `act` returns null, because nobody has that name */
async function inDatabase<Value>(
  config: Config,
  username: string,
  act: (db: Db) => Promise<Value | null>,
): Promise<Value> {
  const database = await openDatabase(config, () => {})
  try {
    const log = createLog('silent')
    await migrateDatabase({ config, database, log, say: console.error })
    const connection = connect(database.direct, log, { size: 1 })
    const done = await act(connection.db).finally(() => connection.close())
    if (done === null) throw new UsageError(`There is nobody called ${username}.`)
    return done
  } finally {
    await database.stop()
  }
}

/** Returns the link, or null for an unknown name. */
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

/** Returns the name as its owner spells it, or null for an unknown name. */
async function forgetFactor(db: Db, username: string): Promise<string | null> {
  const found = await findCredentials(db, username)
  if (found === undefined) return null
  return db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, found.id)
    if (person === null) return null
    await forgetFactors(tx, found.id)
    return person.username
  })
}

/** @throws UsageError for the last administrator, unless forced */
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

/** Returns a message. Recounts lessons first, because a course sums up the comments of its lessons. */
async function recount(config: Config): Promise<string> {
  const corrected = await inDatabase(config, '', async (db) => {
    const lessons = await recountNumbers(db, 'lesson')
    return { lessons, courses: await recountNumbers(db, 'course') }
  })
  return `Corrected the numbers of ${corrected.lessons} lessons and ${corrected.courses} courses.`
}

/** Returns a message. `forget` stops publishing the older keys. */
async function rotateCertificateKey(config: Config, forget: boolean): Promise<string> {
  const secrets = await readSecrets(config.AUTH_SECRETS, config.DATA_DIR)
  const sealing = createSealing(secrets, SEALED_FOR)
  const clock = { now: () => new Date() }
  const kid = await inDatabase(config, '', (db) => rotateKey({ db, clock, sealing }, forget))
  return forget
    ? `Certificates are signed with the key ${kid}. What older keys signed is good no more: it is to be downloaded again.`
    : `Certificates are signed with the key ${kid}. What older keys signed stays good.`
}

/** Takes a username and an address, and returns a message. */
async function create(config: Config, words: string): Promise<string> {
  const [username = '', email = '', ...more] = words.split(' ')
  if (email === '' || more.length > 0) throw new UsageError(HELP)
  return inDatabase(config, username, async (db) =>
    (await createAdministrator(db, config, { username, email }))
      ? makeResetLink(config, db, username)
      : `${username} is an administrator now.`,
  )
}

/** Returns their names. @throws Failure when there is none */
async function list(config: Config): Promise<string> {
  const names = await inDatabase(config, '', listAdministrators)
  if (names.length === 0) throw new Failure('Nobody is an administrator.')
  return names.join('\n')
}

/** Does what every start also does. Returns a message. */
async function migrateAll(config: Config): Promise<string> {
  const database = await openDatabase(config, () => {})
  const log = createLog('warn')
  try {
    const applied = await migrateDatabase({ config, database, log, say: console.error })
    return `The database is at this version: ${applied.length} new migrations.`
  } finally {
    await database.stop()
  }
}

/** Returns a message. @throws UsageError without S3_URL, CopyError, and errors of the storages */
async function move(config: Config, remove: boolean): Promise<string> {
  const { S3_URL } = config
  if (S3_URL === undefined)
    throw new UsageError('Set S3_URL, the bucket that files are moved to, or from (FILES_IN=disk).')
  const log = createLog('silent')
  const disk = await createDiskStorage(join(config.DATA_DIR, 'files'))
  const bucket = await openS3Storage(S3_URL, log)
  const [from, to] = config.FILES_IN === 'disk' ? [bucket, disk] : [disk, bucket]
  try {
    const report = ({ copied, there, bytes }: MoveCounts) =>
      console.log(`${copied} copied (${megabytes(bytes)} MB), ${there} there already …`)
    const moved = await inDatabase(config, '', (db) => moveFiles({ db, from, to, remove, report }))
    return describeMove(moved)
  } finally {
    bucket.close()
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

function describeMove({ empty, ...moved }: MoveCounts): string {
  const lines = [
    `Copied and compared ${moved.copied} files (${megabytes(moved.bytes)} MB); ${moved.there} were there already.`,
    moved.removed > 0 && `Removed ${moved.removed} originals.`,
    moved.gone > 0 && `${moved.gone} were deleted meanwhile.`,
    moved.unfinished > 0 && `${moved.unfinished} uploads are under way: run it again tomorrow.`,
    moved.strays > 0 && `${moved.strays} files belong to nothing and were left.`,
    empty.length > 0 && `Without content, so left: ${empty.join(', ')}`,
  ]
  return lines.filter((line) => line !== false).join('\n')
}

async function run(
  command: string | undefined,
  username: string | undefined,
  words: { readonly force: boolean; readonly remove: boolean },
): Promise<void> {
  if (command === undefined) return console.log(HELP)
  if (command === 'recount') return console.log(await recount(readConfig(process.env)))
  if (command === 'list') return console.log(await list(readConfig(process.env)))
  if (command === 'migrate') return console.log(await migrateAll(readConfig(process.env)))
  if (command === 'files' && username === 'move')
    return console.log(await move(readConfig(process.env), words.remove))
  if (command === 'certificates' && username === 'rotate')
    return console.log(await rotateCertificateKey(readConfig(process.env), words.remove))
  if (command === 'test-mail' && username !== undefined)
    return console.log(await sendTestMail(readConfig(process.env), username))
  if (command === 'create' && username !== undefined)
    return console.log(await create(readConfig(process.env), username))
  if (!OF_A_PERSON.includes(command) || username === undefined) throw new UsageError(HELP)
  const config = readConfig(process.env)
  if (command === 'reset') {
    const link = await inDatabase(config, username, (db) => makeResetLink(config, db, username))
    return console.log(link)
  }
  if (command === 'forget-factor') {
    const name = await inDatabase(config, username, (db) => forgetFactor(db, username))
    return console.log(`${name} signs in by the password alone now.`)
  }
  if (command === 'revoke')
    return console.log(`${await revoke(config, username, words.force)} is no administrator now.`)
  const name = await inDatabase(config, username, (db) => setRole(db, username, 'administrator'))
  console.log(`${name} is an administrator now.`)
}

try {
  const { values, positionals } = readArguments(HELP, {
    allowPositionals: true,
    options: {
      force: { type: 'boolean', default: false },
      remove: { type: 'boolean', default: false },
    },
  })
  const [command, ...names] = positionals
  await run(command, names.join(' ').trim() || undefined, values)
} catch (error) {
  const known = error instanceof UsageError || SENTENCES.some((kind) => error instanceof kind)
  const sentence = known && error instanceof Error ? error.message : sentenceOf(error)
  if (sentence === null) throw error
  console.error(sentence)
  process.exitCode = 1
}
