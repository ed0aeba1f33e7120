import {
  isSettingName,
  settingProblem,
  type SettingName,
  type SettingTexts,
} from '#contract/settings.ts'
import { LOGO_BYTES } from '#contract/setting-kinds.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { readStoredSettings } from '#server/platform/core/settings.ts'
import { encodeForms } from '#server/platform/files/pictures.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { conflict, invalid, invalidField } from '#server/kernel/errors.ts'
import { resolveSettings } from '#server/kernel/settings/site-settings.ts'
import { logAct } from '#server/people/moderation/log.ts'
import { writeSettings } from '#server/operate/settings/store.ts'

interface EditNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'settings'>
}

interface Edit {
  /** The version that the administrator saw. */
  readonly version: number
  /** An empty text restores the default. Absent settings stay. */
  readonly texts: Readonly<Partial<SettingTexts>>
}

/**
 * Stores the settings that differ, and logs each with its former text.
 * @throws Refusal 400 at each setting that isn't valid or that the environment decides; 409 if others saved meanwhile
 */
export async function editSettings(
  { db, clock, config }: EditNeeds,
  viewer: Viewer,
  { version, texts }: Edit,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const stored = await readStoredSettings(tx)
    if (stored.version !== version) throw conflict('settingsChangedMeanwhile')
    const changed = Object.entries(texts).filter(
      (entry): entry is [string, string] => entry[1] !== (stored.texts[entry[0]] ?? ''),
    )
    const problems = changed.flatMap(([name, text]) => {
      const problem = isSettingName(name) ? problemOf(config, name, text) : 'invalidInput'
      return problem === null ? [] : [[name, problem]]
    })
    if (problems.length > 0) throw invalid(Object.fromEntries(problems))
    if (changed.length === 0) return
    const after = Object.entries({ ...stored.texts, ...Object.fromEntries(changed) })
    const kept = Object.fromEntries(after.filter(([, text]) => text !== ''))
    if (!(await writeSettings(tx, version, kept))) throw conflict('settingsChangedMeanwhile')
    const at = clock.now()
    for (const [name, text] of changed)
      await logChange(tx, { actorId: viewer.id, name, before: stored.texts[name], after: text, at })
  })
}

function problemOf(config: Pick<Config, 'settings'>, name: SettingName, text: string) {
  return config.settings[name] === undefined ? settingProblem(name, text) : 'settingFixed'
}

interface Change {
  readonly actorId: string
  readonly name: string
  readonly before: unknown
  readonly after: string
  readonly at: Date
}

/** In characters. The log stores 200. */
const MOST_LOGGED = 95

async function logChange(tx: Tx, { actorId, name, before, after, at }: Change): Promise<void> {
  const write = (text: unknown) => {
    if (typeof text !== 'string' || text === '') return '–'
    const shown = name === 'SITE_LOGO' ? pathOf(text) : text
    return shown.length > MOST_LOGGED ? `${shown.slice(0, MOST_LOGGED)}…` : shown
  }
  const subject = `${write(before)} → ${write(after)}`
  await logAct(tx, { actorId, action: 'settingChanged', subjectId: name, subject, at })
}

const pathOf = (logo: string) => resolveSettings({}, { SITE_LOGO: logo }).settings.logo?.path ?? '…'

/** Returns the picture as a data URL. @throws Refusal 400 or 413 at `image`, 503 when too many wait */
export async function makeLogo(image: File): Promise<string> {
  const [smallest] = await encodeForms(image)
  if (smallest === undefined || smallest.content.byteLength > LOGO_BYTES)
    throw invalidField('image', 'settingLogoLarge')
  return `data:image/webp;base64,${Buffer.from(smallest.content).toString('base64')}`
}
