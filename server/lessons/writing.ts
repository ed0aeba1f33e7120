/** What creating and editing share. */
import type { EditedLesson } from '#contract/lessons.ts'
import { type LinkedVideo, readVideo } from '#contract/video.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { claimUpload, findNamedUpload } from '#server/files/resources.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Events } from '#server/kernel/events.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { toEditedLesson } from '#server/lessons/details/details.ts'
import { findLesson } from '#server/lessons/store.ts'

export interface WriteNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Null leaves the lesson to its generated cover. */
  readonly storePicture: (file: File, ownerId: string) => Promise<{ pictureId: number | null }>
  /** Rewarded lessons a UTC day. */
  readonly dailyRewardLimit: number
  readonly events: Events
}

/** The spec's words for a lesson that is not there. */
export const lessonGone = () => notFound('lessonNotFound')

/** @throws Refusal 404 when it was deleted since */
export async function readWritten(db: Db, viewer: Viewer, id: number): Promise<EditedLesson> {
  const row = await findLesson(db, id, viewer.id)
  if (row === null) throw lessonGone()
  return toEditedLesson(row, viewer)
}

/** The video of a link that the contract let pass. */
export function requireVideo(link: string): LinkedVideo {
  const video = readVideo(link)
  if (video === null) throw invalidField('video', 'provideYoutube')
  return video
}

/**
 * An upload now belongs to the lesson, also when its whole address with a host is given; a link to elsewhere stays as
 * it is. Answers what is to be stored. @throws Refusal 400 for an upload that is not the viewer's
 */
export async function claimResource(
  tx: Tx,
  viewer: Viewer,
  lessonId: number,
  resources: string,
): Promise<string> {
  const url = resources.startsWith('/files/') ? resources : await findNamedUpload(tx, resources)
  return url === null ? resources : claimUpload(tx, { ownerId: viewer.id, url, lessonId })
}
