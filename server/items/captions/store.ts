/** The only module that writes the tables of captions. */
import { sql, type RawBuilder } from 'kysely'
import { CAPTION_OFFERS } from '#contract/caption-limits.ts'
import type { Captions, Cue } from '#contract/captions.ts'
import type { CaptionLanguage } from '#contract/items.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import type { Entitlement } from '#server/items/shared/access.ts'
import {
  entitlementColumns,
  isBought,
  isOpenThroughCourse,
} from '#server/items/shared/entitlement.ts'
import { spokenWords, stemsOf } from '#server/items/captions/stems.ts'

/** A living lesson, which is locked until the transaction ends, and the viewer's access to it. */
export interface CaptionedLesson extends Entitlement {
  readonly title: string
  readonly version: number
}

/** Returns null if there is no such lesson. */
export async function lockCaptioned(
  tx: Tx,
  lessonId: number,
  viewerId: string,
): Promise<CaptionedLesson | null> {
  const { rows } = await sql<CaptionedLesson>`
    select ${entitlementColumns(viewerId)}, c.title, c.version
    from lessons l join lesson_contents c on c.lesson_id = l.id
    where l.id = ${lessonId} and l.deleted_at is null for no key update of l`.execute(tx)
  return rows[0] ?? null
}

export async function listCaptions(db: DbOrTx, lessonId: number): Promise<Captions[]> {
  const { rows } = await sql<Captions>`
    select language, cues from lesson_captions where lesson_id = ${lessonId} order by language`.execute(
    db,
  )
  return rows
}

export async function listLanguages(tx: Tx, lessonId: number): Promise<CaptionLanguage[]> {
  const { rows } = await sql<{ language: CaptionLanguage }>`
    select language from lesson_captions where lesson_id = ${lessonId}`.execute(tx)
  return rows.map(({ language }) => language)
}

export async function putCaptions(
  tx: Tx,
  lessonId: number,
  { language, cues }: { readonly language: CaptionLanguage; readonly cues: readonly Cue[] },
  at: Date,
): Promise<void> {
  await sql`
    insert into lesson_captions (lesson_id, language, cues, stems, changed_at)
    values (${lessonId}, ${language}, ${JSON.stringify(cues)}::jsonb, ${stemsOf(spokenWords(cues))}, ${at})
    on conflict (lesson_id, language) do update
    set cues = excluded.cues, stems = excluded.stems, changed_at = excluded.changed_at`.execute(tx)
}

/** Returns false if there are none. */
export async function deleteCaptions(
  tx: Tx,
  lessonId: number,
  language: CaptionLanguage,
): Promise<boolean> {
  const { rows } = await sql`
    delete from lesson_captions where lesson_id = ${lessonId} and language = ${language}
    returning language`.execute(tx)
  return rows.length > 0
}

/** Deletes the captions of a deleted lesson, and the offers. */
export async function forgetCaptions(tx: Tx, lessonId: number): Promise<void> {
  await sql`delete from lesson_captions where lesson_id = ${lessonId}`.execute(tx)
  await sql`delete from caption_offers where lesson_id = ${lessonId} and amount = 0`.execute(tx)
}

/** Deletes the open offers for a locked lesson, which nobody can decide any more. */
export async function dropOpenOffers(tx: Tx, lessonId: number): Promise<void> {
  await sql`delete from caption_offers where lesson_id = ${lessonId} and decided_at is null`.execute(
    tx,
  )
}

/**
 * Deletes a person's open offers for lessons that are locked for them now. Skips those that are being decided, because a
 * decision locks the offer before the balance, and a return locks it after.
 */
export async function dropOffersForLocked(tx: Tx, userId: string): Promise<void> {
  await sql`
    delete from caption_offers where id in (
      select o.id from caption_offers o join lessons l on l.id = o.lesson_id
      where o.user_id = ${userId} and o.decided_at is null
        and not (${isBought(userId)} or ${isOpenThroughCourse(userId)})
      for update of o skip locked
    )`.execute(tx)
}

/** A scalar subquery for the languages of a lesson's captions. */
export function captionLanguagesOf(lessonId: RawBuilder<unknown>): RawBuilder<CaptionLanguage[]> {
  return sql<CaptionLanguage[]>`array(
    select k.language from lesson_captions k where k.lesson_id = ${lessonId} order by k.language
  )`
}

export interface OfferRow {
  readonly id: number
  readonly lessonId: number
  readonly language: CaptionLanguage
  readonly cues: Cue[]
  /** Null after the account was erased. */
  readonly userId: string | null
  readonly username: string | null
  readonly picture: string | null
  readonly date: Date
  readonly accepted: boolean | null
  readonly answer: string | null
  readonly amount: number
}

/** Without those of erased accounts, which are about to be deleted. */
const isOpen = sql`o.decided_at is null and u.erased_at is null`

interface OffersOptions {
  readonly cues?: RawBuilder<unknown>
  /** Follows the order: a limit or a lock. */
  readonly end?: RawBuilder<unknown>
}

function offersWhere(
  condition: RawBuilder<unknown>,
  { cues = sql`o.cues`, end = sql`` }: OffersOptions = {},
) {
  return sql<OfferRow>`
    select o.id, o.lesson_id as "lessonId", o.language, ${cues} as cues, o.user_id as "userId", u.username, p.key as picture,
      o.created_at as date, o.accepted, o.answer, o.amount
    from caption_offers o left join users u on u.id = o.user_id left join pictures p on p.id = u.picture_id
    where ${condition} order by o.id desc ${end}`
}

/** Lists the newest open offers, oldest last. */
export async function listOpenOffers(db: Db, lessonId: number): Promise<OfferRow[]> {
  const end = sql`limit ${CAPTION_OFFERS.lesson}`
  const query = offersWhere(sql`o.lesson_id = ${lessonId} and ${isOpen}`, { end })
  return (await query.execute(db)).rows
}

/** Lists all offers of a person for a lesson, without their cues. */
export async function listOffersBy(db: Db, lessonId: number, userId: string): Promise<OfferRow[]> {
  const isOwn = sql`o.lesson_id = ${lessonId} and o.user_id = ${userId}`
  return (await offersWhere(isOwn, { cues: sql`'[]'::jsonb` }).execute(db)).rows
}

/** Returns null if there is no open offer with this id. */
export async function findOpenOffer(db: Db, id: number): Promise<OfferRow | null> {
  const { rows } = await offersWhere(sql`o.id = ${id} and ${isOpen}`).execute(db)
  return rows[0] ?? null
}

/** Returns null if there is no open offer with this id. The erasure of an account waits for the lock. */
export async function lockOpenOffer(tx: Tx, id: number): Promise<OfferRow | null> {
  const { rows } = await offersWhere(sql`o.id = ${id} and ${isOpen}`, {
    end: sql`for update of o`,
  }).execute(tx)
  return rows[0] ?? null
}

/** Counts the recent open offers of a person and for a lesson, without the one that an offer would replace. */
export async function countOffers(
  tx: Tx,
  { lessonId, userId, language, at }: NewOffer,
): Promise<{ ofPerson: number; ofLesson: number }> {
  const { rows } = await sql<{ ofPerson: number; ofLesson: number }>`
    select count(*) filter (where user_id = ${userId}) as "ofPerson",
      count(*) filter (where lesson_id = ${lessonId}) as "ofLesson"
    from caption_offers
    where decided_at is null and created_at > ${at}::timestamptz - ${CAPTION_OFFERS.days} * interval '1 day'
      and (user_id = ${userId} or lesson_id = ${lessonId})
      and not (user_id = ${userId} and lesson_id = ${lessonId} and language = ${language})`.execute(
    tx,
  )
  return rows[0] ?? { ofPerson: 0, ofLesson: 0 }
}

export interface NewOffer {
  readonly lessonId: number
  readonly language: CaptionLanguage
  readonly userId: string
  readonly cues: readonly Cue[]
  readonly at: Date
}

/**
 * Replaces the person's open offer for the same language. The new one has another id, so that nobody accepts text that
 * they haven't seen. The lesson must be locked.
 */
export async function putOffer(tx: Tx, offer: NewOffer): Promise<{ id: number; isNew: boolean }> {
  const { lessonId, language, userId, cues, at } = offer
  const { rows: replaced } = await sql`
    delete from caption_offers
    where lesson_id = ${lessonId} and user_id = ${userId} and language = ${language} and decided_at is null
    returning id`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    insert into caption_offers (lesson_id, language, user_id, cues, created_at)
    values (${lessonId}, ${language}, ${userId}, ${JSON.stringify(cues)}::jsonb, ${at})
    returning id`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('an offer was not stored')
  return { id: row.id, isNew: replaced.length === 0 }
}

/** Returns false if the offer is gone or was decided. */
export async function decideOffer(
  tx: Tx,
  id: number,
  decision: {
    readonly accepted: boolean
    readonly answer: string | null
    readonly amount: number
    readonly at: Date
  },
): Promise<boolean> {
  const { accepted, answer, amount, at } = decision
  const { rows } = await sql`
    update caption_offers set decided_at = ${at}, accepted = ${accepted}, answer = ${answer}, amount = ${amount},
      cues = '[]'
    where id = ${id} and decided_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Returns how many offers of the person were paid since then, and whether one for the lesson and language was. */
export async function findPaid(
  tx: Tx,
  { lessonId, language, userId }: Pick<NewOffer, 'lessonId' | 'language' | 'userId'>,
  since: Date,
): Promise<{ today: number; isPaid: boolean }> {
  const { rows } = await sql<{ today: number; isPaid: boolean }>`
    select (
        select count(*) from caption_offers where user_id = ${userId} and amount > 0 and decided_at >= ${since}
      ) as today,
      exists (
        select from caption_offers where lesson_id = ${lessonId} and language = ${language} and amount > 0
      ) as "isPaid"`.execute(tx)
  return rows[0] ?? { today: 0, isPaid: true }
}

/** Deletes a person's offers. Of those that were paid, only that stays, so that nobody is paid again. */
export async function forgetOffers(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from caption_offers where user_id = ${userId} and amount = 0`.execute(db)
  await sql`update caption_offers set user_id = null, answer = null where user_id = ${userId}`.execute(
    db,
  )
}
