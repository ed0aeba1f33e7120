/** The settings of the site as this process knows them: read at the start, and again when they change. */
import type { Events } from '#server/platform/events/events.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Log } from '#server/kernel/log.ts'
import { everySoOften, type Repeated } from '#server/kernel/process/every-so-often.ts'
import {
  resolveSettings,
  type Current,
  type GivenSettings,
  type Settings,
} from '#server/kernel/settings/site-settings.ts'

export interface LiveSettings extends Current<keyof Settings> {
  /** Stored texts that this version doesn't accept. */
  readonly rejected: GivenSettings
  /** Reads them again. If they have changed, drops the caches of this process. */
  reload(): Promise<void>
}

export interface StoredSettings {
  /** 0 before the first change. */
  readonly version: number
  readonly texts: Readonly<Record<string, unknown>>
}

export async function readStoredSettings(db: Db): Promise<StoredSettings> {
  const row = await db.selectFrom('site_settings').select(['version', 'texts']).executeTakeFirst()
  // A hand-written row may hold anything.
  const texts = typeof row?.texts === 'object' && row.texts !== null ? row.texts : {}
  return { version: row?.version ?? 0, texts: { ...texts } }
}

interface SettingsNeeds {
  readonly db: Db
  readonly events: Events
  readonly log: Pick<Log, 'warn'>
}

export async function openSettings(
  given: GivenSettings,
  { db, events, log }: SettingsNeeds,
): Promise<LiveSettings> {
  let version = -1
  let resolved = resolveSettings(given)
  const read = async () => {
    const stored = await readStoredSettings(db)
    // If the older of two reads ends last, the next look corrects that.
    if (stored.version === version) return false
    version = stored.version
    resolved = resolveSettings(given, stored.texts)
    const rejected = Object.keys(resolved.rejected)
    if (rejected.length > 0)
      log.warn({ rejected }, 'stored settings are not valid in this version: their defaults apply')
    return true
  }
  const reload = async () => {
    if (await read()) events.receive({ type: 'settings.changed' })
  }
  await read()
  events.subscribe((event, origin) => {
    // If reading fails, the next look finds the change.
    if (event.type === 'settings.changed' && origin === 'elsewhere')
      void reload().catch(() => undefined)
  })
  return {
    get current() {
      return resolved.settings
    },
    get rejected() {
      return resolved.rejected
    },
    reload,
  }
}

/** In ms. Also without Redis, every process applies a change within two seconds. */
const LOOK_MS = 1000

/** Looks for changes of other processes. */
export function followSettings(settings: LiveSettings, log: Log): Repeated {
  return everySoOften({ log, what: 'the settings could not be read' }, LOOK_MS, () =>
    settings.reload(),
  )
}
