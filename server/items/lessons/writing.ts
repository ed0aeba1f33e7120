import type { EditedLesson } from '#contract/lessons.ts'
import { type LinkedVideo, readVideo } from '#contract/video.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { claimUpload, findNamedUpload } from '#server/platform/files/resources.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { toEditedLesson } from '#server/items/lessons/details/details.ts'
import { findLesson } from '#server/items/lessons/store.ts'

export interface WriteNeeds {
  readonly db: Db
  readonly clock: Clock
  /** Null means that the cover is drawn. */
  readonly storePicture: (file: File, ownerId: string) => Promise<{ pictureId: number | null }>
  readonly settings: Current<'DAILY_REWARD_LIMIT' | 'TITLE_WORDS'>
  /** Rewards what resembles lessons of other people. Only simulations do that, to see what the rule is worth. */
  readonly rewardsCopies?: boolean
}

/** The specification's message for a missing lesson. */
export const lessonGone = () => notFound('lessonNotFound')

/** @throws Refusal 404 when it was deleted meanwhile */
export async function readWritten(db: Db, viewer: Viewer, id: number): Promise<EditedLesson> {
  const row = await findLesson(db, id, viewer.id)
  if (row === null) throw lessonGone()
  return toEditedLesson(row, viewer)
}

/** Reads the video of a link that the contract has validated. */
export function requireVideo(link: string): LinkedVideo {
  const video = readVideo(link)
  if (video === null) throw invalidField('video', 'provideYoutube')
  return video
}

/**
 * Assigns an upload to the lesson, even if its absolute address is given; links to other sites stay. Returns the
 * value to store.
 * @throws Refusal 400 for somebody else's upload
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
