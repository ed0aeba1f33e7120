import type { Captions, captions, Cue } from '#contract/captions.ts'
import type { ParsedOf } from '#contract/endpoint.ts'
import { CAPTION_BYTES, CAPTION_LANGUAGES_A_LESSON } from '#contract/caption-limits.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { requireCaptionRight } from '#server/items/captions/access.ts'
import { parseCaptions } from '#server/items/captions/parsing.ts'
import {
  deleteCaptions,
  listCaptions,
  listLanguages,
  lockCaptioned,
  putCaptions,
  type CaptionedLesson,
} from '#server/items/captions/store.ts'
import { reasonForOwner } from '#server/items/shared/access.ts'
import { findEntitlement } from '#server/items/shared/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, invalidField, notFound } from '#server/kernel/errors.ts'
import { notifyEdit } from '#server/people/moderation/reasons.ts'

export interface CaptionNeeds {
  readonly db: Db
  readonly clock: Clock
}

/** @throws Refusal 404, 403 when the lesson is locked */
export async function readCaptions(db: Db, viewer: Viewer, lessonId: number): Promise<Captions[]> {
  requireCaptionRight('see', viewer, await findEntitlement(db, lessonId, viewer))
  return listCaptions(db, lessonId)
}

/** @throws Refusal 400 at `text`, with the line of the first mistake */
export function requireCues(file: string): readonly Cue[] {
  if (Buffer.byteLength(file) > CAPTION_BYTES)
    throw invalidField('text', 'captionsTooLarge', { megabytes: CAPTION_BYTES / 1_000_000 })
  const { cues, problem } = parseCaptions(file)
  if (problem !== null) throw invalidField('text', problem.key, problem.values)
  return cues
}

/** @throws Refusal 400 at `text`, 404, 403, 409 for a language more than a lesson may have */
export async function storeCaptions(
  { db, clock }: CaptionNeeds,
  viewer: Viewer,
  { lessonId, language, text }: ParsedOf<typeof captions.put>,
): Promise<number> {
  const cues = requireCues(text)
  await db.transaction().execute(async (tx) => {
    const lesson = requireCaptionRight('edit', viewer, await lockCaptioned(tx, lessonId, viewer.id))
    await replaceCaptions(tx, lessonId, { language, cues }, clock.now())
    await tellOwner(tx, viewer, lesson, lessonId, clock.now())
  })
  return cues.length
}

/** @throws Refusal 404, 403 */
export function removeCaptions(
  { db, clock }: CaptionNeeds,
  viewer: Viewer,
  { lessonId, language }: ParsedOf<typeof captions.remove>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const lesson = requireCaptionRight('edit', viewer, await lockCaptioned(tx, lessonId, viewer.id))
    await tellOwner(tx, viewer, lesson, lessonId, clock.now())
    if (!(await deleteCaptions(tx, lessonId, language))) throw notFound('captionsNotFound')
  })
}

/** The lesson must be locked. @throws Refusal 409 for a language more than a lesson may have */
export async function replaceCaptions(
  tx: Tx,
  lessonId: number,
  given: Pick<Captions, 'language'> & { readonly cues: readonly Cue[] },
  at: Date,
): Promise<void> {
  const others = (await listLanguages(tx, lessonId)).filter((one) => one !== given.language)
  if (others.length >= CAPTION_LANGUAGES_A_LESSON)
    throw conflict('captionsFull', { max: CAPTION_LANGUAGES_A_LESSON })
  await putCaptions(tx, lessonId, given, at)
}

/** Tells the owner of an administrator's change. @throws Refusal 403 for one who must confirm who they are first */
export async function tellOwner(
  tx: Tx,
  viewer: Viewer,
  { ownerId, title, version }: CaptionedLesson,
  id: number,
  at: Date,
): Promise<void> {
  const reason = reasonForOwner(viewer, ownerId, undefined)
  if (reason === undefined) return
  const item = { kind: 'lesson', id, title } as const
  await notifyEdit(tx, { actorId: viewer.id, ownerId, item, version, reason, at })
}
