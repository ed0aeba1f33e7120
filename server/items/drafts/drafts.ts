import {
  type Draft,
  DRAFT_BYTES,
  type DraftConflict,
  type drafts,
  MOST_DRAFTS,
  parseDraftKey,
} from '#contract/drafts.ts'
import type { AnswerOf, ParsedOf } from '#contract/endpoint.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { uploadIdIn } from '#server/platform/files/resources.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, notFound, Refusal, tooLarge } from '#server/kernel/errors.ts'
import { requireRight } from '#server/items/shared/access.ts'
import {
  countDrafts,
  findDraft,
  findOwner,
  isSame,
  type StoredDraft,
  writeDraft,
} from '#server/items/drafts/store.ts'

interface Needs {
  readonly db: Db
  readonly clock: Clock
}

const TITLE_LENGTH = 200

/** @throws Refusal 404, also for an ended draft */
export async function readDraft(db: Db, viewer: Viewer, key: string): Promise<Draft> {
  const draft = toDraft(await findDraft(db, viewer.id, key))
  if (draft === null) throw notFound('draftNotFound')
  return draft
}

/**
 * Saves a draft over the version on which it is based. A repeated save answers as the first did.
 * @throws Refusal 413 when it is too large, 404 and 403 for an item that the viewer may not edit, and 409 when there
 * is a newer version, the draft has ended, or the viewer has too many drafts
 */
export async function saveDraft(
  { db, clock }: Needs,
  viewer: Viewer,
  { key, base, values }: ParsedOf<typeof drafts.save>,
): Promise<AnswerOf<typeof drafts.save>> {
  const content = JSON.stringify(values)
  if (Buffer.byteLength(content) > DRAFT_BYTES)
    throw tooLarge('draftTooLarge', { kilobytes: DRAFT_BYTES / 1024 })
  return db.transaction().execute(async (tx) => {
    await lock(tx, lockName.drafts(viewer.id))
    const { kind, itemId } = await requireItem(tx, viewer, key)
    const stored = await findDraft(tx, viewer.id, key)
    const isLive = stored !== null && stored.values !== null
    if (isLive && (await isSame(tx, viewer.id, key, content)))
      return { version: stored.version, savedAt: stored.savedAt }
    refuseOther(stored, base)
    if (!isLive && (await countDrafts(tx, viewer.id)) >= MOST_DRAFTS)
      throw conflict('draftsFull', { max: MOST_DRAFTS })
    const version = base + 1
    const at = clock.now()
    await writeDraft(tx, {
      userId: viewer.id,
      key,
      kind,
      itemId,
      version,
      content,
      title: titleOf(values),
      files: filesOf(values),
      at,
    })
    return { version, savedAt: at.toISOString() }
  })
}

/**
 * Ends a draft; idempotent. Its version stays for a day, so that a save that is still on its way is refused.
 * @throws Refusal 409 when the draft is newer than `base`
 */
export async function removeDraft(
  { db, clock }: Needs,
  viewer: Viewer,
  { key, base }: ParsedOf<typeof drafts.remove>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lock(tx, lockName.drafts(viewer.id))
    const stored = await findDraft(tx, viewer.id, key)
    if (stored !== null && stored.values === null) return
    if (base !== undefined && stored !== null) refuseOther(stored, base)
    // Without `base` nothing can be on its way, because the caller has never saved it.
    if (stored === null && base === undefined) return
    const { kind, itemId } = parseKey(key)
    await writeDraft(tx, {
      userId: viewer.id,
      key,
      kind,
      itemId,
      version: (stored?.version ?? base ?? 0) + 1,
      content: null,
      title: '',
      files: [],
      at: clock.now(),
    })
  })
}

function parseKey(key: string) {
  const parsed = parseDraftKey(key)
  // The contract has checked it.
  if (parsed === null) throw notFound('draftNotFound')
  return parsed
}

async function requireItem(tx: Tx, viewer: Viewer, key: string) {
  const { kind, itemId } = parseKey(key)
  if (itemId !== null) {
    const owner = await findOwner(tx, kind, itemId)
    if (owner === null) throw notFound(kind === 'lesson' ? 'lessonNotFound' : 'courseNotFound')
    requireRight('edit', viewer, owner)
  }
  return { kind, itemId }
}

function refuseOther(stored: StoredDraft | null, base: number): void {
  const version = stored?.version ?? 0
  if (version === base) return
  const extra: DraftConflict = { version, draft: toDraft(stored) }
  throw new Refusal(409, extra.draft === null ? 'draftEnded' : 'draftNewer', {
    extra: { ...extra },
  })
}

const toDraft = (stored: StoredDraft | null): Draft | null =>
  stored === null || stored.values === null ? null : { ...stored, values: stored.values }

function titleOf({ title }: Draft['values']): string {
  if (typeof title !== 'string') return ''
  return Array.from(title.trim()).slice(0, TITLE_LENGTH).join('')
}

/** The uploads that a draft names. */
function filesOf({ resources, picture }: Draft['values']): string[] {
  return [resources, picture].flatMap((link) => {
    const id = typeof link === 'string' ? uploadIdIn(link) : null
    return id === null ? [] : [id]
  })
}
