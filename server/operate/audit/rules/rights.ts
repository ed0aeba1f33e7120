/**
 * Only a purchase gives access to an item, apart from its owner and administrators. Each purchase must be paid and
 * not refunded, and each reward must be in the ledger and not taken back.
 */
import { sql, type RawBuilder } from 'kysely'
import { COURSE_LESSONS } from '#contract/limits.ts'
import type { Rule } from '#server/operate/audit/rules/rule.ts'

/** Ledger entries that pay and refund a purchase. All other entries about an item concern its reward. */
const OF_SALES = sql`('bought', 'trusted', 'refunded', 'lessonGone', 'returned', 'videoGone')`
/** Ledger entries of the author's share. */
const OF_SHARES = sql`('share', 'shareReturned')`

/** Existing purchases, with the part of the price that was not refunded. */
const PURCHASES = sql`
  select user_id, 'lesson' as kind, lesson_id as item_id, price as worth from lesson_purchases
  union all select user_id, 'course', course_id, price - refunded from course_purchases`

/** A number from 0 to 999,982 that rarely is the same for two items. */
function markOf(isCourse: RawBuilder<boolean>, id: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`(hashint8(2 * ${id} + case when ${isCourse} then 1 else 0 end)::bigint & 2147483647) % 999983`
}

export const RIGHTS: readonly Rule[] = [
  {
    name: 'purchaseNotPaid',
    what: 'What a person paid for an item is not what their purchase of it is worth: a right without its payment, or a payment without its right.',
    // Compares sums per person first, since there are far fewer people than purchases. Each amount is weighted
    // with the mark of its item, so that a payment for another item is found too. Only where the sums differ is
    // each item compared.
    wrong: sql`
      with suspect as materialized (
        select user_id from (
          select user_id, sum(amount) as points, sum(amount * ${markOf(sql`item_kind = 'course'`, sql`item_id`)}) as marked
          from point_entries where reason in ${OF_SALES} group by user_id
        ) entry full join (
          select user_id, sum(worth) as points, sum(worth * ${markOf(sql`kind = 'course'`, sql`item_id`)}) as marked
          from (${PURCHASES}) purchase group by user_id
        ) purchase using (user_id)
        where coalesce(entry.points, 0) <> -coalesce(purchase.points, 0)
          or coalesce(entry.marked, 0) <> -coalesce(purchase.marked, 0)
      )
      select 'person ' || user_id || ', ' || kind || ' ' || item_id as id from (
        select user_id, item_kind as kind, item_id, sum(amount) as paid
        from point_entries join suspect using (user_id)
        where reason in ${OF_SALES} group by user_id, item_kind, item_id
      ) entry full join (
        select purchase.* from (${PURCHASES}) purchase join suspect using (user_id)
      ) purchase using (user_id, kind, item_id)
      where coalesce(paid, 0) <> -coalesce(worth, 0)
      union all
      -- worth nothing any more, so that no sum shows that it was never paid
      select 'person ' || p.user_id || ', course ' || p.course_id
      from course_purchases p
      where p.refunded = p.price and not exists (
        select from point_entries e
        where e.user_id = p.user_id and e.reason = 'bought' and e.item_kind = 'course' and e.item_id = p.course_id
      )`,
  },
  {
    name: 'shareNotPaid',
    what: "What the purchases of an item brought its author is not what stands in the author's ledger, or not what was counted for the item.",
    wrong: sql`
      select kind || ' ' || item_id as id from (
        select item_kind as kind, item_id, user_id, sum(amount) as got
        from point_entries where reason in ${OF_SHARES} group by item_kind, item_id, user_id
      ) entry full join (
        select 'lesson' as kind, p.lesson_id as item_id, l.owner_id as user_id, sum(p.share) as share
        from lesson_purchases p join lessons l on l.id = p.lesson_id where p.share > 0 group by p.lesson_id, l.owner_id
        union all
        select 'course', p.course_id, k.owner_id, sum(p.share)
        from course_purchases p join courses k on k.id = p.course_id where p.share > 0 group by p.course_id, k.owner_id
      ) purchase using (kind, item_id, user_id) full join (
        select item_kind as kind, item_id, paid from author_shares
      ) counted using (kind, item_id)
      where coalesce(got, 0) <> coalesce(share, 0) or coalesce(share, 0) <> coalesce(paid, 0)`,
  },
  {
    name: 'ownPurchase',
    what: 'Somebody holds a purchase of what they made themselves.',
    wrong: sql`
      select 'lesson ' || l.id as id
      from lesson_purchases p join lessons l on l.id = p.lesson_id and l.owner_id = p.user_id
      union all
      select 'course ' || k.id
      from course_purchases p join courses k on k.id = p.course_id and k.owner_id = p.user_id`,
  },
  {
    name: 'purchaseOfGone',
    what: 'A purchase is left of an item that is deleted, and no refund is due any more.',
    wrong: sql`
      select 'person ' || p.user_id || ', lesson ' || l.id as id
      from lesson_purchases p join lessons l on l.id = p.lesson_id
      where l.deleted_at is not null and not l.kept_for_buyers and not l.refunds_due
      union all
      select 'person ' || p.user_id || ', course ' || k.id
      from course_purchases p join courses k on k.id = p.course_id
      where k.deleted_at is not null and not k.kept_for_buyers and not k.refunds_due`,
  },
  {
    name: 'formerLessonInvalid',
    what: 'A lesson that is open to earlier buyers of a course stands in the course as well, or none of those buyers is there.',
    wrong: sql`
      select 'course ' || former.course_id || ', lesson ' || former.lesson_id as id
      from course_kept_lessons former
      where exists (
        select from course_lessons held
        where held.course_id = former.course_id and held.lesson_id = former.lesson_id
      ) or not exists (
        select from course_purchases p
        where p.course_id = former.course_id and p.id = former.last_purchase
      )`,
  },
  {
    name: 'rewardNotEarned',
    what: 'A reward that is held is not what the ledger gave for it and did not take back.',
    wrong: sql`
      select 'person ' || user_id || ', ' || kind || ' ' || item_id as id from (
        select user_id, item_kind as kind, item_id, sum(amount) as given
        from point_entries where item_id is not null and reason not in ${OF_SALES} and reason not in ${OF_SHARES}
          and reason <> 'captioned'
        group by user_id, item_kind, item_id
      ) entry full join (
        select user_id, 'lesson' as kind, lesson_id as item_id, amount from lesson_rewards
        union all select user_id, 'course', course_id, amount from course_rewards
      ) reward using (user_id, kind, item_id)
      where coalesce(given, 0) <> coalesce(amount, 0)`,
  },
  {
    name: 'captionsNotPaid',
    what: 'What accepted captions were paid is not what stands in the ledger.',
    wrong: sql`
      select 'lesson ' || lesson_id || ', ' || language as id from (
        select item_id as lesson_id, occurrence as language, sum(amount) as given
        from point_entries where reason = 'captioned' group by item_id, occurrence
      ) entry full join (
        select lesson_id, language, amount from caption_offers where amount > 0
      ) offer using (lesson_id, language)
      where coalesce(given, 0) <> coalesce(amount, 0)`,
  },
  {
    name: 'rewardWithoutItem',
    what: 'A reward is held for a lesson or course that is gone, or that is not of the one who holds it.',
    wrong: sql`
      select 'lesson ' || r.lesson_id as id
      from lesson_rewards r left join lessons l on l.id = r.lesson_id
      where l.id is null or l.owner_id <> r.user_id or (l.deleted_at is not null and not l.kept_for_buyers)
      union all
      select 'course ' || r.course_id
      from course_rewards r left join courses k on k.id = r.course_id
      where k.id is null or k.owner_id <> r.user_id or (k.deleted_at is not null and not k.kept_for_buyers)`,
  },
  {
    name: 'courseRewardTooFew',
    what: 'A rewarded course counts fewer lessons than it needs for its reward, or one that it does not hold.',
    wrong: sql`
      select 'course ' || r.course_id as id
      from course_rewards r left join course_reward_lessons c on c.course_id = r.course_id
      group by r.course_id having count(c.lesson_id) < ${sql.lit(COURSE_LESSONS.min)}
      union all
      select 'course ' || c.course_id || ', lesson ' || c.lesson_id
      from course_reward_lessons c
      where not exists (
        select from course_lessons held where held.course_id = c.course_id and held.lesson_id = c.lesson_id
      )`,
  },
]
