/** Offers of captions: buyers make them, and the author decides. */
import type { CaptionOffer, captions, Cue } from '#contract/captions.ts'
import type { ParsedOf } from '#contract/endpoint.ts'
import { CAPTION_OFFERS, CAPTION_REWARD, CAPTION_REWARDS_A_DAY } from '#contract/caption-limits.ts'
import { SAME_ARTICLE } from '#contract/limits.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import { requireCaptionRight } from '#server/items/captions/access.ts'
import {
  replaceCaptions,
  requireCues,
  tellOwner,
  type CaptionNeeds,
} from '#server/items/captions/captions.ts'
import {
  countOffers,
  decideOffer,
  findOpenOffer,
  findPaid,
  listCaptions,
  listOffersBy,
  listOpenOffers,
  lockCaptioned,
  lockOpenOffer,
  putOffer,
  type CaptionedLesson,
  type OfferRow,
} from '#server/items/captions/store.ts'
import { rightsOf } from '#server/items/shared/access.ts'
import { findEntitlement } from '#server/items/shared/entitlement.ts'
import { refuseUnconfirmed, type Viewer } from '#server/kernel/call.ts'
import { utcDay } from '#server/kernel/clock.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import { FORMER_MEMBER } from '#contract/former-member.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { award, lockBalances } from '#server/people/points/ledger.ts'
import { jaccard, shinglesOf } from '#server/people/points/resemblance.ts'
import { lessonRef } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'

/** Characters that are compared; three hours of talking have some 150,000. */
const COMPARED = 200_000

/**
 * The author and administrators get the open offers for a lesson, others their own.
 * @throws Refusal 404, 403 when the lesson is locked
 */
export async function readOffers(
  db: Db,
  viewer: Viewer,
  lessonId: number,
): Promise<CaptionOffer[]> {
  const entitlement = await findEntitlement(db, lessonId, viewer)
  const lesson = requireCaptionRight('see', viewer, entitlement)
  const decides = viewer.id === lesson.ownerId || rightsOf(viewer, lesson).edit
  const rows = await (decides
    ? listOpenOffers(db, lessonId)
    : listOffersBy(db, lessonId, viewer.id))
  return rows.map(toOffer)
}

function toOffer({ userId, username, picture, date, accepted, ...row }: OfferRow): CaptionOffer {
  const { id, language, cues, answer, amount } = row
  return {
    id,
    language,
    cues,
    answer,
    amount,
    state: accepted === null ? 'open' : accepted ? 'accepted' : 'declined',
    by: shownPerson(userId ?? '', username ?? FORMER_MEMBER, picture),
    date: date.toISOString(),
  }
}

/**
 * Offers captions, or replaces the viewer's open offer for the same language.
 * @throws Refusal 400 at `text`, 404, 403 for people who have not unlocked the lesson, 409 for one offer too many,
 * and for captions that are there already
 */
export async function offerCaptions(
  { db, clock }: CaptionNeeds,
  viewer: Viewer,
  { lessonId, language, text }: ParsedOf<typeof captions.offer>,
): Promise<{ id: number; cues: number }> {
  const cues = requireCues(text)
  const at = clock.now()
  const offer = { lessonId, language, userId: viewer.id, cues, at }
  const id = await db.transaction().execute(async (tx) => {
    const lesson = requireCaptionRight('rate', viewer, await lockCaptioned(tx, lessonId, viewer.id))
    await lock(tx, lockName.captionOffers(viewer.id))
    const { ofPerson, ofLesson } = await countOffers(tx, offer)
    if (ofPerson >= CAPTION_OFFERS.person || ofLesson >= CAPTION_OFFERS.lesson)
      throw conflict('captionOffersFull')
    const present = (await listCaptions(tx, lessonId)).find((one) => one.language === language)
    if (present !== undefined && isSame(present.cues, cues)) throw conflict('captionsAreThere')
    const stored = await putOffer(tx, offer)
    if (stored.isNew)
      await record(
        tx,
        {
          type: 'captions.offered',
          item: lessonRef(lessonId),
          ownerId: lesson.ownerId,
          userId: viewer.id,
        },
        at,
      )
    return stored.id
  })
  return { id, cues: cues.length }
}

const isSame = (some: readonly Cue[], others: readonly Cue[]) =>
  some.length === others.length &&
  some.every(({ from, to, text }, place) => {
    const other = others[place]
    return from === other?.from && to === other.to && text === other.text
  })

interface Decided {
  readonly lessonId: number
  readonly amount: number
}

/**
 * Replaces the lesson's captions by offered ones and pays for them.
 * @throws Refusal 404 when there is no such open offer, 403 for people who may not edit the lesson, and for who made
 * the offer
 */
export function acceptOffer(
  needs: CaptionNeeds,
  viewer: Viewer,
  decision: ParsedOf<typeof captions.accept>,
): Promise<Decided> {
  return decide(needs, viewer, decision, async (tx, lesson, offer, at) => {
    const amount = await payFor(tx, lesson, offer, at)
    await replaceCaptions(tx, offer.lessonId, offer, at)
    await tellOwner(tx, viewer, lesson, offer.lessonId, at)
    return amount
  })
}

/** @throws Refusal 404, 403 as `acceptOffer` */
export function declineOffer(
  needs: CaptionNeeds,
  viewer: Viewer,
  decision: ParsedOf<typeof captions.decline>,
): Promise<Decided> {
  return decide(needs, viewer, decision, null)
}

type Accept = (tx: Tx, lesson: CaptionedLesson, offer: OfferRow, at: Date) => Promise<number>

/** Locks the lesson before the offer and the balances. */
async function decide(
  { db, clock }: CaptionNeeds,
  viewer: Viewer,
  { id, answer = null }: { readonly id: number; readonly answer?: string | null | undefined },
  accept: Accept | null,
): Promise<Decided> {
  const at = clock.now()
  const found = await findOpenOffer(db, id)
  if (found === null) throw notFound('captionOfferNotFound')
  const { lessonId } = found
  return db.transaction().execute(async (tx) => {
    const lesson = requireCaptionRight('edit', viewer, await lockCaptioned(tx, lessonId, viewer.id))
    if (viewer.id === found.userId) throw forbidden()
    if (viewer.id !== lesson.ownerId) refuseUnconfirmed(viewer)
    // Read again under the lock, because another page may have decided it, or its person's account was erased.
    const offer = await lockOpenOffer(tx, id)
    if (offer === null || offer.userId === null) throw notFound('captionOfferNotFound')
    const amount = accept === null ? 0 : await accept(tx, lesson, offer, at)
    const accepted = accept !== null
    if (!(await decideOffer(tx, id, { accepted, answer, amount, at })))
      throw notFound('captionOfferNotFound')
    await record(
      tx,
      {
        type: 'captions.decided',
        item: lessonRef(lessonId),
        title: lesson.title,
        userId: offer.userId,
        ownerId: viewer.id,
        accepted,
        amount,
        note: answer,
      },
      at,
    )
    return { lessonId, amount }
  })
}

/**
 * Pays once for a lesson and language, so many times a day, and nothing for captions that resemble those that the
 * lesson has in any language. Returns the points.
 */
async function payFor(
  tx: Tx,
  { title, ownerId }: CaptionedLesson,
  { lessonId, language, userId, cues }: OfferRow,
  at: Date,
): Promise<number> {
  if (userId === null) return 0
  // Both at once, in their order, because an administrator's change adds an entry of the owner.
  await lockBalances(tx, [userId, ownerId])
  const paid = await findPaid(tx, { lessonId, language, userId }, new Date(utcDay(at)))
  if (paid.isPaid || paid.today >= CAPTION_REWARDS_A_DAY) return 0
  const shingles = shinglesOf(textOf(cues))
  const resembles = (await listCaptions(tx, lessonId)).some(
    (present) => jaccard(shingles, shinglesOf(textOf(present.cues))) >= SAME_ARTICLE,
  )
  if (resembles) return 0
  const item = { kind: 'lesson', id: lessonId, title } as const
  const amount = CAPTION_REWARD
  await award(tx, { userId, amount, reason: 'captioned', at, item, occurrence: language })
  return amount
}

const textOf = (cues: readonly Cue[]) =>
  cues
    .map(({ text }) => text)
    .join(' ')
    .slice(0, COMPARED)
