/** The health checks that `/readyz` runs in each kind of process. */
import { auditTrouble, findAuditState } from '#server/operate/audit/watch.ts'
import { backupTrouble, findBackupState } from '#server/operate/backup/watch.ts'
import { providerParts } from '#server/people/accounts/oidc/parts.ts'
import type { Connection } from '#server/platform/db/connect.ts'
import type { Replica } from '#server/platform/db/replica/replica.ts'
import { isStandby, STANDBY } from '#server/platform/db/settings.ts'
import { findOverdueJobs, overdueWords } from '#server/platform/jobs/schedule.ts'
import type { Core } from '#server/platform/core/core.ts'
import { checkDisk } from '#server/kernel/process/disk.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'
import type { Traces } from '#server/kernel/traces/traces.ts'
import type { Joined } from '#server/platform/nodes/join.ts'

interface HealthNeeds {
  readonly database: Connection
  /** Null if there is no replica; everything is then read from the primary. */
  readonly replica: Replica | null
  readonly joined: Joined
  readonly traces: Pick<Traces, 'parts'>
}

/** Lists the parts of a serving or working process in the order in which they are shown. */
export function listParts(
  core: Pick<Core, 'storage' | 'config' | 'clock'>,
  { database, replica, joined, traces }: HealthNeeds,
): HealthPart[] {
  const { storage, config } = core
  return [
    {
      name: 'database',
      needed: true,
      silent:
        'does not answer: see that the server of DATABASE_URL runs and that this node reaches it',
      check: () => checkDatabase(database.pool),
    },
    // With a full disk reads still work, and without S3 everything except files.
    { name: storage.place, needed: false, check: () => storage.check() },
    { name: 'data-disk', needed: false, check: () => checkDisk(config.DATA_DIR) },
    ...(replica === null ? [] : [{ name: 'replica', needed: false, check: () => replica.check() }]),
    { name: 'jobs', needed: false, check: createJobsCheck(database.db) },
    { name: 'backups', needed: false, check: () => checkBackups(database.db, core) },
    { name: 'audit', needed: false, check: () => checkAudit(database.db, core) },
    ...joined.parts,
    ...providerParts(config),
    ...traces.parts,
  ]
}

/** @throws PartAway if the server is a standby, or the database's error */
async function checkDatabase(pool: Connection['pool']): Promise<void> {
  if (!(await isStandby(pool))) return
  // Reconnects, because the address may already lead to the new primary.
  pool.renew()
  throw new PartAway(STANDBY)
}

/** @throws PartAway. Only a site with an address of its own is expected to have backups, unlike a demo. */
async function checkBackups(
  db: Connection['db'],
  { config, clock }: Pick<Core, 'config' | 'clock'>,
): Promise<void> {
  if (config.BACKUP_URL === undefined && config.PUBLIC_URL === undefined) return
  const trouble = backupTrouble(await findBackupState(db, config, clock.now()))
  if (trouble !== null) throw new PartAway(trouble)
}

/** @throws PartAway */
async function checkAudit(db: Connection['db'], { clock }: Pick<Core, 'clock'>): Promise<void> {
  const trouble = auditTrouble(await findAuditState(db, clock.now()))
  if (trouble !== null) throw new PartAway(trouble)
}

/** In ms. How long a new installation may run without a worker before the check fails. */
const FIRST_JOBS_MS = 5 * 60 * 1000

/** Returns a check that throws PartAway while recurring jobs are overdue. */
function createJobsCheck(db: Connection['db']): () => Promise<void> {
  const begun = performance.now()
  return async () => {
    const { names, isNew } = await findOverdueJobs(db)
    if (names.length > 0) throw new PartAway(overdueWords(names))
    if (isNew && performance.now() - begun > FIRST_JOBS_MS)
      throw new PartAway('no process works on the jobs: start npm run worker, or set JOBS=here')
  }
}
