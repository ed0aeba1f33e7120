/** Reverses decisions whose appeals are granted, in the transaction of the decision. */
import type { AppealableAction } from '#contract/appeals.ts'
import type { ItemKind } from '#contract/points.ts'
import { conflict } from '#server/kernel/errors.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { courseRef, lessonRef, type ItemRef } from '#server/platform/events/catalogue.ts'
import { isLivingComment } from '#server/items/comments/deletions.ts'
import { undeleteAtDesk } from '#server/items/comments/desk-verbs.ts'
import { lockLesson } from '#server/items/lessons/store.ts'
import { reverseClaim } from '#server/items/flags/claims.ts'
import { isLivingRating, undeleteRatings } from '#server/items/ratings/desk.ts'
import { restoreItem } from '#server/operate/removal/restoring.ts'
import { lockIdentity, writeAbout } from '#server/people/accounts/identity.ts'
import type { AppealableAct } from '#server/people/moderation/appeals/acts.ts'
import { liftSuspension } from '#server/people/moderation/suspension.ts'
import { payMissingReward } from '#server/people/points/rewards.ts'

interface Reversal {
  readonly act: AppealableAct
  readonly reason: string
  readonly at: Date
}

type Reverse = (tx: Tx, viewer: Viewer, reversal: Reversal) => Promise<readonly ItemRef[]>

/**
 * Returns the items that changed. Does nothing if somebody has reversed the decision already.
 * @throws Refusal 409 if the thing can't be restored any more
 */
export function reverseAct(
  tx: Tx,
  viewer: Viewer,
  reversal: Reversal,
): Promise<readonly ItemRef[]> {
  return REVERSE[reversal.act.action](tx, viewer, reversal)
}

/** Authors can undo an edit themselves, because the item is still theirs. */
const nothing: Reverse = () => Promise.resolve([])

const restoreComment: Reverse = async (tx, viewer, { act, at }) => {
  const id = Number(act.subjectId)
  const given = { ids: [id], deleted: { at: act.at }, at }
  const { restored, lessons, courses } = await undeleteAtDesk(tx, viewer, given)
  if (restored.length === 0 && !(await isLivingComment(tx, id)))
    throw conflict('appealCannotRestore')
  return [...lessons.map(lessonRef), ...courses.map(courseRef)]
}

const restoreRating: Reverse = async (tx, viewer, { act, at }) => {
  const id = Number(act.subjectId)
  const given = { ids: [id], deleted: { at: act.at }, at }
  const { restored, items } = await undeleteRatings(tx, viewer, given)
  if (restored.length === 0 && !(await isLivingRating(tx, id)))
    throw conflict('appealCannotRestore')
  return items
}

const undoCopy: Reverse = async (tx, viewer, { act, at }) => {
  const lessonId = Number(act.subjectId)
  if (!(await reverseClaim(tx, viewer, { lessonId, decidedAt: act.at, at })))
    throw conflict('appealCannotRestore')
  return [lessonRef(lessonId)]
}

const unsuspend: Reverse = async (tx, viewer, { act, reason, at }) => {
  // Somebody may have lifted it already. A later suspension is another decision.
  await liftSuspension(tx, viewer, { id: act.personId, reason, since: act.at, at })
  return []
}

/** Keeps what the person has written since. */
const restoreAbout: Reverse = async (tx, _viewer, { act }) => {
  const person = await lockIdentity(tx, act.personId)
  if (person === null) throw conflict('appealCannotRestore')
  if (person.about === null) await writeAbout(tx, act.personId, act.subject)
  return []
}

const payReward: Reverse = async (tx, _viewer, { act, at }) => {
  const { lessonId, personId: userId, subject } = act
  if (lessonId === null) return []
  if ((await lockLesson(tx, lessonId)) === null) throw conflict('appealCannotRestore')
  await payMissingReward(tx, { lessonId, userId, title: subject ?? '', at })
  return []
}

function restore(kind: ItemKind): Reverse {
  return async (tx, _viewer, { act, at }) => {
    const id = Number(act.subjectId)
    if (!(await restoreItem(tx, { kind, id, at }))) throw conflict('appealCannotRestore')
    return [{ kind, id }]
  }
}

const REVERSE: Readonly<Record<AppealableAction, Reverse>> = {
  commentDeleted: restoreComment,
  ratingDeleted: restoreRating,
  lessonEdited: nothing,
  courseEdited: nothing,
  lessonDeleted: restore('lesson'),
  courseDeleted: restore('course'),
  copyConfirmed: undoCopy,
  copyRemoved: undoCopy,
  suspended: unsuspend,
  aboutDeleted: restoreAbout,
  rewardWithheld: payReward,
  rewardWithdrawn: payReward,
}
