/** Statements that may look at rows in proportion to a table, each with the reason. */

/** A statement, known by a part of its text on one line. */
export interface Justified {
  readonly part: string
  readonly why: string
}

const COUNTED = 'counts no further than 10,001, and needs that many rows of an index for it'
const SEARCHED = 'a search looks at no more than 10,001 of what it finds, by a plan for its words'
const ALL_BUYERS = 'reads each buyer of what is deleted, of whom there may be any number'
const BATCHED =
  'does a thousand at a time, whatever there is: with few rows the batch is what there is'
const STREAMED =
  'a whole list is sent 500 rows at a time; of a table of a few thousand rows that many are read best from end to end (at a million lessons it looks at 2,000 rows, and at 11,000 of courses with their lessons)'
const BY_NAME =
  'letters that many names have: names are read in their order until the page is full, and counted up to 10,001'
const CHIPS = 'the numbers on the filter chips are counted once for all who ask'

/** What is refused in other statements is meant in these. */
export const JUSTIFIED: readonly Justified[] = [
  {
    part: 'with wrong as materialized (',
    why: 'the audit proves every row, once a night and when somebody asks for it',
  },
  {
    part: `as texts from "courses" i join "course_contents" c on c."course_id" = i.id where i.id = any($1`,
    why: 'the words of five hundred written items are read at a time; so many of a few hundred rows are read best from end to end',
  },
  {
    part: 'update "course_contents" set language = given',
    why: 'hears fifty at a time of what was there before, until all are heard; so many of a few hundred rows are read best from end to end',
  },
  {
    part: 'with found as materialized ( select sum(i.rating_stars) as stars, sum(i.ratings) as ratings from',
    why: 'the mean of all ratings is reckoned once a day, by one walk along the narrow table',
  },
  {
    part: 'delete from happenings where ctid = any(',
    why: 'takes 500 at a time of what waits some seconds to become notices; a few pages of it are read best from end to end',
  },
  {
    part: 'delete from notices where noticed_at <',
    why: 'looks at the 5,000 oldest notices and at no other, however many there are',
  },
  {
    part: 'as made from lessons where deleted_at is null group by owner_id',
    why: 'the sums of the front page are worked out once for all who ask',
  },
  {
    part: 'with page as (select i.id from lessons i where i.deleted_at is null order by',
    why: COUNTED,
  },
  {
    part: 'with page as (select i.id from courses i where i.deleted_at is null order by',
    why: COUNTED,
  },
  {
    part: '/* custom plan */ with total as (select count(*) as found from (select 1 from',
    why: COUNTED,
  },
  {
    part: 'select count(*) as found from ( select from users u where u.erased_at is null limit 10001 )',
    why: COUNTED,
  },
  {
    part: 'with chips as materialized (select (select count(*) from (select 1 from comments m',
    why: COUNTED,
  },
  {
    part: 'select count(*) as found from (select 1 from moderation_log limit 10000)',
    why: 'the log of a seeded database is empty and without statistics: its plan without values is a guess, and reads nothing',
  },
  { part: '/* custom plan */ with hits as materialized ( select i.', why: SEARCHED },
  { part: '/* custom plan */ with probe as materialized', why: SEARCHED },
  {
    part: 'short_grams(i.title_folded) @> array[$1::text] order by i.id desc limit 10',
    why: 'planned for its letters: where a large part of all titles has them, the newest are read in order instead',
  },
  { part: 'then 1 else 0 end as comments, count(*) as found from lessons', why: CHIPS },
  {
    part: 'from ( select m.id, m.prediction, m.text_folded from comments m where m.deleted_at is null and true and true order by m.id desc limit 50000 )',
    why: 'a search of less than three letters looks through the newest 50,000 comments, and no further',
  },
  {
    part: 'as writer, sampled.* from (select count(*) as found from comments m tablesample system',
    why: 'looks at a sample of pages that is bounded, and takes all of a small table',
  },
  {
    part: '/* custom plan */ select i.id from lessons i where i.deleted_at is null and short_grams(',
    why: SEARCHED,
  },
  {
    part: 'select count(*) as found from (select 1 from lessons i where i.deleted_at is null limit 10001)',
    why: COUNTED,
  },
  {
    part: 'select count(*) as found from (select 1 from courses i where i.deleted_at is null limit 10001)',
    why: COUNTED,
  },
  {
    part: 'with page as materialized ( select i.id from lessons i where i.deleted_at is null',
    why: STREAMED,
  },
  {
    part: 'with page as materialized ( select i.id from courses i where i.deleted_at is null',
    why: STREAMED,
  },
  {
    part: 'with hits as materialized ( select u.id, u.username_folded from users u where u.erased_at is null order by u.username_folded limit 10001)',
    why: COUNTED,
  },
  {
    part: 'select count(*) as found from ( select from users u where u.erased_at is null and u.name_folded like',
    why: BY_NAME,
  },
  {
    part: 'with hits as materialized ( select u.id, u.username_folded from users u where u.erased_at is null and u.name_folded like',
    why: BY_NAME,
  },
  {
    part: 'from (select u.id from users u where u.erased_at is null and u.name_folded like',
    why: BY_NAME,
  },
  {
    part: 'with named as materialized ( select u.id from users u where u.name_folded like any',
    why: BY_NAME,
  },
  {
    part: 'inner join "course_contents" as "content" on "content"."course_id" = "item"."id" where "item"."deleted_at" is null and "item"."id" >',
    why: 'a thousand addresses of the sitemap at a time',
  },
  { part: 'select count(distinct paid.user_id) as buyers', why: ALL_BUYERS },
  {
    part: 'with change as ( select * from unnest($1::uuid[], $2::integer[]) as change (user_id, amount) )',
    why: BATCHED,
  },
  {
    part: 'delete from lesson_purchases where lesson_id = $1 and user_id in ( select user_id from lesson_purchases',
    why: BATCHED,
  },
  {
    part: 'select "user_id" from "point_balances" where "user_id" = any($1::uuid[]) order by "user_id" for update',
    why: BATCHED,
  },
  {
    part: 'select c.id from comments c where c.lesson_id = $2 and c.deleted_at is null order by c.id desc limit 1000',
    why: BATCHED,
  },
  {
    part: 'update "lessons" stored set "likes" = true_of."likes"',
    why: 'counts all likes and comments of 500 lessons at a time, at the wish of who runs the product',
  },
  { part: 'update "courses" stored set "likes" = true_of."likes"', why: 'the same of courses' },
  { part: 'then 1 else 0 end as comments, count(*) as found from courses', why: CHIPS },
  {
    part: '/* custom plan */ with hits as materialized (select m.id, m.prediction from comments m',
    why: 'an administrator searches for a word that every seeded comment has, and sees how many there are of each opinion',
  },
]
