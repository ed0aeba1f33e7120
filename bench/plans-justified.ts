/** Statements that may look at rows in proportion to a table, each with the reason. */

/** A statement, known by a part of its text on one line. */
export interface Justified {
  readonly part: string
  readonly why: string
}

const COUNTED = 'counts no further than 10,001, and needs that many rows of an index for it'
const SEARCHED = 'a search looks at no more than 10,001 of what it finds, by a plan for its words'
const CHIPS = 'the numbers on the filter chips are counted once for all who ask'

/** What is refused in other statements is meant in these. */
export const JUSTIFIED: readonly Justified[] = [
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
  { part: 'then 1 else 0 end as comments, count(*) as found from courses', why: CHIPS },
  {
    part: '/* custom plan */ with hits as materialized (select m.id, m.prediction from comments m',
    why: 'an administrator searches for a word that every seeded comment has, and sees how many there are of each opinion',
  },
]
