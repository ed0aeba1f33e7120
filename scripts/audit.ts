/** `npm run audit` checks the database and its files. */
import type { AuditFinding } from '#contract/audit.ts'
import { audit, type AuditReport } from '#server/operate/audit/audit.ts'
import { repairCounts } from '#server/operate/audit/repair.ts'
import { connect } from '#server/platform/db/connect.ts'
import { EmbeddedFailure } from '#server/platform/db/embedded/failure.ts'
import { findMissingMigrations, SchemaError } from '#server/platform/db/migrate.ts'
import { DatabaseError, openDatabase } from '#server/platform/db/settings.ts'
import { openStorage } from '#server/platform/files/places/open-storage.ts'
import { readConfig } from '#server/kernel/config.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { createLog } from '#server/kernel/log.ts'
import { sentenceOf } from '#server/kernel/process/start-failure.ts'
import { readArguments } from '#scripts/arguments.mjs'
import { Failure, run } from '#scripts/status.mjs'

const HELP = `npm run audit               proves the database and its files: that the books balance, that rights are purchases,
                            that numbers are what they count, that nothing refers to nothing, and that every file
                            is there. It changes nothing, and may run beside the server.
npm run audit -- --repair   counts numbers again that are wrong (likes, comments, lessons of courses, views, unread
                            messages), in batches, then proves all once more. It mends nothing else.

It says what is wrong, with the ids of up to twenty things a rule, and ends with 1 when anything is. The settings are
those of the server: DATABASE_URL, or the embedded database in DATA_DIR, and S3_URL.
`

const SENTENCES = [ConfigError, DatabaseError, EmbeddedFailure, SchemaError]

const say = (line: string) => void process.stdout.write(`${line}\n`)

function readWords() {
  const options = {
    repair: { type: 'boolean', default: false },
  } as const
  return readArguments(HELP, { options }).values
}

function describe({ what, rule, count, ids }: AuditFinding): string {
  const more = count > ids.length ? ` … ${count} in all` : ''
  return `✗ ${what}\n    ${rule}: ${ids.join('; ')}${more}`
}

function describeAll({ findings, unproved, steps }: AuditReport, seconds: number): void {
  for (const finding of findings) say(describe(finding))
  for (const { rule, why } of unproved) say(`? ${rule} was not proved. ${why}.`)
  const took = `${steps} statements, ${seconds.toFixed(1)} s`
  const isWell = findings.length === 0 && unproved.length === 0
  say(isWell ? `✓ All is well (${took}).` : `Not all is well (${took}).`)
}

async function auditOnce(mends: boolean): Promise<boolean> {
  const config = readConfig(process.env)
  const log = createLog('silent')
  const database = await openDatabase(config, () => {})
  try {
    const connection = connect(database.direct, log, { work: 'audit', size: 1 })
    try {
      const missing = await findMissingMigrations(
        connection.pool,
        config.NEWER_SCHEMA === 'accepted',
      )
      if (missing.length > 0)
        throw new Failure(
          `The database is older than this version: it lacks ${missing.length} migrations. Start the server once, or run npm run admin -- migrate.`,
        )
      const storage = await openStorage(config, log)
      try {
        if (mends) {
          const repaired = await repairCounts(connection.db)
          say(
            `Counted again: ${repaired.lessons} lessons, ${repaired.courses} courses, ${repaired.conversations} conversations and ${repaired.people} people had a wrong number.`,
          )
        }
        const began = performance.now()
        const report = await audit({ db: connection.db, storage })
        describeAll(report, (performance.now() - began) / 1000)
        return report.findings.length === 0 && report.unproved.length === 0
      } finally {
        storage.close()
      }
    } finally {
      await connection.close()
    }
  } finally {
    await database.stop()
  }
}

await run(async () => {
  const words = readWords()
  try {
    if (!(await auditOnce(words.repair))) process.exitCode = 1
  } catch (error) {
    const isKnown = error instanceof Error && SENTENCES.some((kind) => error instanceof kind)
    const sentence = isKnown ? error.message : sentenceOf(error)
    throw sentence === null ? error : new Failure(sentence)
  }
})
