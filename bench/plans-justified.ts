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

/** A place that no walk comes past, by the beginning of its file's path and a part of its line, each with the reason. */
export interface Unwalked {
  readonly in: string
  readonly part?: string
  readonly why: string
}

const MORNING =
  'by key or by the index of what is due, at seven in the morning of fifty people at a time'

const SIGN_OUT_ALL = 'ends what everybody has, once, in a restored database before it is started'
const REFOLDED = 'rows of an earlier version, 500 at a time by their key; what is seeded is folded'

/** What is not walked on purpose. */
export const UNWALKED: readonly Unwalked[] = [
  {
    in: 'server/accounts/access-tokens/store.ts',
    part: "deleteFrom('access_tokens').executeTakeFirst",
    why: SIGN_OUT_ALL,
  },
  {
    in: 'server/accounts/mails/links.ts',
    part: "where kind = 'reset' and used_at is null",
    why: SIGN_OUT_ALL,
  },
  {
    in: 'server/accounts/sessions/sessions.ts',
    part: 'where revoked_at is null and expires_at >',
    why: SIGN_OUT_ALL,
  },
  {
    in: 'server/jobs/schedule.ts',
    part: '_private_known_crontabs known order by 1',
    why: 'one row for each recurring job',
  },
  { in: 'server/lessons/tags/refolding.ts', why: REFOLDED },
  { in: 'server/words/refolding.ts', part: 'on conflict do nothing`', why: REFOLDED },
  {
    in: 'server/items/languages.ts',
    part: "(given ->> 'id')::bigint`.execute",
    why: 'by key, fifty at a time, for what was written before anybody listened; what is seeded has its language',
  },
  {
    in: 'server/follows/recount.ts',
    why: 'mends numbers that an audit found wrong, when it is asked to; it proves every row',
  },
  {
    in: 'server/follows/store.ts',
    part: 'order by id limit',
    why: 'a page of followers, by the index follows_of_author',
  },
  { in: 'server/db/migrate.ts', why: 'migrations, whose rules stand in docs/migrations.md' },
  { in: 'server/db/embedded/', why: 'makes the embedded database, before there is a table' },
  { in: 'server/db/connect.ts', part: 'client.query(text as', why: 'passes on what others send' },
  { in: 'server/db/pool.ts', why: 'passes on what others send, and sets limits of time' },
  { in: 'server/db/locks.ts', part: 'lock_timeout', why: 'sets a limit of time' },
  { in: 'server/db/pooler.ts', why: 'asks a pooler what it can, and no table' },
  { in: 'server/db/replica/', why: 'one row a process; the walk has no replica' },
  {
    in: 'server/accounts/sessions/write-marks.ts',
    why: 'by the index of a person’s sessions, and only with a replica (server/testing/replica.test.ts)',
  },
  {
    in: 'server/accounts/throttle.ts',
    why: 'by key; limits are off, since the walk comes from one address',
  },
  {
    in: 'server/contact/attempts.ts',
    why: 'by the index of who writes; limits are off, since the walk comes from one address',
  },
  {
    in: 'server/jobs/liveness.ts',
    why: 'advisory locks, and the queue’s own function for workers that died',
  },
  { in: 'server/exports/store.ts', part: "state = 'failed'", why: 'by key, where a disk fails' },
  { in: 'server/accounts/store.ts', part: '.execute()', why: 'for the demo content alone' },
  { in: 'server/lessons/store.ts', part: 'set({ views })', why: 'for the demo content alone' },
  {
    in: 'server/lessons/views.ts',
    part: 'owner_id) do nothing',
    why: 'for the demo content alone',
  },
  { in: 'server/files/picture-jobs.ts', part: '.execute()', why: 'by key, where a disk fails' },
  {
    in: 'server/mail/store.ts',
    part: 'where id = ${id}',
    why: 'by key, where a mail server fails',
  },
  {
    in: 'server/removal/shares.ts',
    part: '.execute()',
    why: 'by key, where a course has more buyers than a transaction pays back (shares of removal.test.ts)',
  },
  {
    in: 'server/search/find.ts',
    part: 'with ordinality given',
    why: 'at most a thousand rows of the index of tags for each tag that is found; seeded items have no words yet, so that none is found',
  },
  { in: 'server/audit/', why: 'goes through whole tables on purpose, in steps of bounded time' },
  { in: 'server/db/secondary.ts', why: 'takes indexes away while a seed or a backup fills tables' },
  { in: 'server/backup/', why: 'reads or writes everything on purpose, beside the requests' },
  {
    in: 'server/files/upload-locks.ts',
    why: 'by key, while an upload in pieces is under way on several nodes',
  },
  {
    in: 'server/webhooks/store.ts',
    part: '.execute()',
    why: 'by key, where an endpoint is switched off',
  },
  {
    in: 'server/webhooks/store.ts',
    part: '.executeTakeFirst()',
    why: 'by key, where nothing arrives for days',
  },
  {
    in: 'server/certificates/credential/keys.ts',
    part: '.execute(tx)',
    why: 'a handful of keys, when one of them is replaced',
  },
  {
    in: 'server/certificates/credential/keys.ts',
    part: 'replaced_at is null`.execute(db)',
    why: 'by key, after AUTH_SECRETS were changed',
  },
  { in: 'server/doctor/', why: 'asks the database about itself, at the wish of who runs it' },
  { in: 'server/chat/recount.ts', why: 'mends what an audit found, in batches' },
  { in: 'server/courses/recount.ts', why: 'mends what an audit found, in batches' },
  { in: 'server/lessons/views.ts', part: 'MENDED_AT_ONCE', why: 'mends what an audit found' },
  { in: 'server/lessons/views.ts', part: 'noted.views', why: 'mends what an audit found' },
  { in: 'server/notices/digests.ts', why: MORNING },
  { in: 'server/mail/outbox.ts', part: 'union all select true from mails', why: MORNING },
  {
    in: 'server/notices/digest-store.ts',
    part: 'where user_id = ${userId}`.execute(tx)',
    why: 'by key, where somebody who travels has a mail planned',
  },
  {
    in: 'server/notices/choices.ts',
    why: 'by key, a kind at a time: what is as usual again, and the link of a mail',
  },
  {
    in: 'server/notices/store.ts',
    part: 'order by n.noticed_at desc, n.id desc`.execute(db)',
    why: 'by key, for mails at once and of the day',
  },
  {
    in: 'server/notices/store.ts',
    part: 'n.user_id as owner',
    why: 'by key, for mails at once',
  },
  { in: 'server/accounts/factors/', why: 'by the key of a person who has a second step' },
  { in: 'server/accounts/oidc/', why: 'by the key of a person, an identity or a sign-in' },
  { in: 'server/accounts/passkeys/', why: 'by the key of a person, a passkey or a challenge' },
  {
    in: 'server/accounts/sessions/sessions.ts',
    part: 'confirmed_at',
    why: 'by key, after a second step',
  },
  {
    in: 'server/accounts/sessions/sessions.ts',
    part: 'ended.execute()',
    why: 'by the index of sessions that a provider began, when it ends them',
  },
  { in: 'server/accounts/store.ts', part: 'second_factor_at', why: 'by key, with a second step' },
  { in: 'server/mail/dev.ts', why: 'for developers alone, on a database of their own' },
  { in: 'server/files/places/move.ts', why: 'by keys, a thousand at a time (move.test.ts)' },
]
