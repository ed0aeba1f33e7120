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

/** Statements that no walk needs to reach. */
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
