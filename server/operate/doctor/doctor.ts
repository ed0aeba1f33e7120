/** Checks a whole installation from the outside within ten seconds, and says how to fix problems. */
import { examineBackups } from '#server/operate/doctor/backups.ts'
import { examineDatabase } from '#server/operate/doctor/database.ts'
import { inTime, Late, ok, reasonOf, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import { examineCollector, examineMail, examineRedis } from '#server/operate/doctor/links.ts'
import { examineFiles, examineFolders, examineKeys } from '#server/operate/doctor/places.ts'
import { findPlainLinks } from '#server/operate/doctor/plain-links.ts'
import { examineProviders } from '#server/operate/doctor/providers.ts'
import { examinePublicAddress } from '#server/operate/doctor/public-address.ts'
import { examineVideos } from '#server/operate/doctor/videos.ts'
import { readConfig, type Config } from '#server/kernel/config.ts'
import { ConfigError } from '#server/kernel/settings/config-error.ts'
import { readSecrets, type Secrets } from '#server/kernel/keys.ts'
import { findPublicUrl, readAddress } from '#server/kernel/process/running.ts'

/** Timeout of each check in ms. All checks run concurrently. */
const EXAMINATION_MS = 7000

/** Returns the findings in a fixed order. Never throws, and ends within ten seconds. */
export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return [wrong('settings', error.message)]
    throw error
  }
  const publicUrl = await findPublicUrl(config)
  const found = await Promise.all([
    bounded('DATA_DIR', examineFolders(config)),
    bounded('AUTH_SECRETS', examineKeys(config)),
    bounded(
      config.DATABASE_URL === undefined ? 'database' : 'DATABASE_URL',
      examineDatabase(config),
    ),
    bounded(config.S3_URL === undefined ? 'files' : 'S3_URL', examineFiles(config)),
    bounded('BACKUP_URL', examineBackups(config)),
    bounded('REDIS_URL', examineRedis(config)),
    bounded('SMTP_URL', examineMail(config, publicUrl)),
    bounded('traces', examineCollector(config)),
    bounded('OIDC_ISSUER', examineProviders(config, publicUrl)),
    bounded('PUBLIC_URL', examineAddress(config)),
    bounded('links', findPlainLinks(config)),
  ])
  return [ok('configuration', 'every setting can be read'), ...found.flat(), examineVideos(config)]
}

async function examineAddress(config: Config): Promise<Finding[]> {
  const secrets = await knownSecrets(config)
  return examinePublicAddress({ config, running: await readAddress(config.DATA_DIR), secrets })
}

/** Doesn't create secrets, which is left to the first start. */
async function knownSecrets({ AUTH_SECRETS, DATA_DIR }: Config): Promise<Secrets | null> {
  const { state } = await examineKeys({
    AUTH_SECRETS,
    DATA_DIR,
    S3_URL: undefined,
    FILES_IN: undefined,
  })
  if (state === 'note') return null
  return readSecrets(AUTH_SECRETS, DATA_DIR).catch(() => null)
}

/** A check that times out or fails unexpectedly becomes a finding and doesn't stop the others. */
async function bounded(
  part: string,
  examination: Promise<Finding | readonly Finding[] | null>,
): Promise<readonly Finding[]> {
  try {
    const found = await inTime(EXAMINATION_MS, examination)
    if (found === null) return []
    return 'part' in found ? [found] : found
  } catch (error) {
    const advice = error instanceof Late ? 'Look whether it runs and can be reached from here.' : ''
    return [wrong(part, `${reasonOf(error)}. ${advice}`.trim())]
  }
}
