import type { LessonEdit } from '#contract/lesson-forms.ts'
import type { EditedLesson } from '#contract/lessons.ts'
import { renewCheck } from '#server/items/lessons/video/checks-store.ts'
import { ARTICLE, DESCRIPTION, TITLE } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { writeQuestions } from '#server/items/checks/writing.ts'
import { exchangePicture } from '#server/platform/files/picture-life.ts'
import { releaseUpload, uploadIdIn } from '#server/platform/files/resources.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { reasonForOwner, requireRight } from '#server/items/shared/access.ts'
import { refuseTitleWords } from '#server/items/words/title-words.ts'
import { takeCover } from '#server/items/shared/cover.ts'
import {
  articleText,
  cleanArticle,
  writeArticle,
  type WrittenArticle,
} from '#server/items/lessons/article.ts'
import {
  findLesson,
  lockLesson,
  updateLesson,
  type LessonFields,
} from '#server/items/lessons/store.ts'
import {
  claimResource,
  lessonGone,
  readWritten,
  requireVideo,
  type WriteNeeds,
} from '#server/items/lessons/writing.ts'
import { notifyEdit } from '#server/people/moderation/reasons.ts'
import { followLessonEdit } from '#server/people/points/rewards.ts'
import { markWords } from '#server/items/words/indexing.ts'

/**
 * Edits a lesson and its rewards in one transaction. Absent fields stay, unless `whole` (PUT) demands all but the
 * image. The owner is notified of an administrator's reason.
 * @throws Refusal 404, 403, 400, and 409 when `version` is not the stored one
 */
export async function editLesson(
  needs: WriteNeeds,
  viewer: Viewer,
  edit: LessonEdit,
  whole: boolean,
): Promise<EditedLesson> {
  const { db } = needs
  const lesson = await findLesson(db, edit.id, viewer.id)
  if (lesson === null) throw lessonGone()
  requireRight('edit', viewer, lesson.owner_id)
  if (whole) refuseGaps(edit)
  const reason = reasonForOwner(viewer, lesson.owner_id, edit.reason)
  if (edit.version !== undefined && edit.version !== lesson.version)
    throw conflict('editedMeanwhile')
  if (edit.title !== undefined && edit.title !== lesson.title)
    refuseTitleWords(needs.settings, edit.title)
  const article = edit.article === undefined ? undefined : writeArticle(edit.article)
  const picture =
    edit.image === undefined ? undefined : await needs.storePicture(edit.image, viewer.id)
  await db
    .transaction()
    .execute((tx) =>
      save(tx, needs.clock.now(), viewer, { edit, article, pictureId: picture?.pictureId, reason }),
    )
  return readWritten(db, viewer, edit.id)
}

/** @throws Refusal 400 at every field that a PUT lacks */
function refuseGaps(edit: LessonEdit): void {
  const needed = {
    title: message('titleValMs', { min: TITLE.min, max: TITLE.max }),
    description: message('descriptionValMs', { min: DESCRIPTION.min, max: DESCRIPTION.max }),
    video: 'provideYoutube',
    tags: 'provideTags',
    resources: 'resourceLinkMs',
    article: message('articleValMs', { min: ARTICLE.min, max: ARTICLE.max }),
  } as const
  const missing = Object.entries(needed).filter(
    ([field]) => edit[field as keyof typeof needed] === undefined,
  )
  if (missing.length > 0) throw invalid(Object.fromEntries(missing))
}

/** A link to the same video without a start keeps the stored start, which responses leave out of `video`. */
function videoOf(
  { video }: LessonEdit,
  stored: LessonFields,
): Pick<LessonFields, 'videoId' | 'videoStart'> {
  const { videoId, videoStart } = stored
  if (video === undefined) return { videoId, videoStart }
  const { id, start } = requireVideo(video)
  return { videoId: id, videoStart: start ?? (id === videoId ? videoStart : 0) }
}

/** Leaves out absent fields, so that the stored ones stay. Null removes a field. */
function sentFields<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Fields
}

interface Change {
  readonly edit: LessonEdit
  readonly article: WrittenArticle | undefined
  readonly pictureId: number | null | undefined
  readonly reason: string | null | undefined
}

async function save(
  tx: Tx,
  now: Date,
  viewer: Viewer,
  { edit, article, pictureId, reason }: Change,
): Promise<void> {
  const { id } = edit
  const stored = await lockLesson(tx, id)
  if (stored === null) throw lessonGone()
  if (edit.version !== undefined && edit.version !== stored.version)
    throw conflict('editedMeanwhile')
  const fields: LessonFields = {
    ...stored,
    ...sentFields(edit),
    ...videoOf(edit, stored),
    article: article?.html ?? stored.article,
    articleMinutes: article?.minutes ?? stored.articleMinutes,
    resources: await exchangeResource(
      tx,
      viewer,
      id,
      stored.resources,
      edit.resources ?? stored.resources,
    ),
  }
  await updateLesson(tx, id, { ...fields, pictureId, editedAt: now })
  if (fields.videoId !== stored.videoId) await renewCheck(tx, id, now)
  if (edit.cover === 'drawn' && edit.image === undefined) await takeCover(tx, 'lesson', id)
  if (edit.checks !== undefined) await writeQuestions(tx, id, edit.checks)
  await markWords(tx, 'lesson', id)
  await exchangePicture(tx, {
    before: stored.pictureId,
    after: pictureId ?? stored.pictureId,
    ownerId: stored.ownerId,
    as: 'cover',
  })
  if (fields.videoId !== stored.videoId || fields.article !== stored.article) {
    const text = article?.text ?? articleText(cleanArticle(fields.article))
    await followLessonEdit(tx, {
      lessonId: id,
      userId: stored.ownerId,
      title: fields.title,
      videoId: fields.videoId,
      articleText: text,
      at: now,
    })
  }
  if (reason !== undefined) {
    const item = { kind: 'lesson', id, title: fields.title } as const
    await notifyEdit(tx, { ...stored, actorId: viewer.id, item, reason, at: now })
  }
}

async function exchangeResource(
  tx: Tx,
  viewer: Viewer,
  lessonId: number,
  stored: string,
  wanted: string,
): Promise<string> {
  if (wanted === stored) return stored
  const named = uploadIdIn(wanted)
  // The absolute address of the same file.
  if (named !== null && named === uploadIdIn(stored)) return stored
  await releaseUpload(tx, lessonId)
  return claimResource(tx, viewer, lessonId, wanted)
}
