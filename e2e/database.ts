/** Changes the database of a running server to simulate the passage of time. */
import { startEmbedded } from '#server/platform/db/embedded/embedded.ts'
import { openClient } from '#server/platform/db/pool.ts'
import { createLog } from '#server/kernel/log.ts'

async function change(dataDir: string, statement: string, values: unknown[] = []): Promise<number> {
  // Connects to the database that the server has started, and leaves it running.
  const { connection } = await startEmbedded({ dataDir })
  const client = await openClient(connection, createLog('silent'), 'requests')
  try {
    return (await client.query(statement, values)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

/** Moves all sign-ins and confirmations of a person back by 15 minutes. */
export async function ageSignIns(dataDir: string, personId: string): Promise<void> {
  const aged = await change(
    dataDir,
    `update sessions set created_at = created_at - interval '16 minutes',
       confirmed_at = confirmed_at - interval '16 minutes' where user_id = $1`,
    [personId],
  )
  if (aged === 0) throw new Error('there is no sign-in that could grow old')
}

export async function confirmAddress(dataDir: string, personId: string): Promise<void> {
  await change(dataDir, 'update users set email_confirmed_at = now() where id = $1', [personId])
}

/** Makes the daily mail of a person due. Returns false if they have no notices. */
export async function makeMorning(dataDir: string, personId: string): Promise<boolean> {
  const scheduled = await change(
    dataDir,
    'update notice_digests set next_at = now() where user_id = $1 and next_at is not null',
    [personId],
  )
  await change(dataDir, `select graphile_worker.add_job('sendDigests')`)
  return scheduled > 0
}

/** Moves the comments with this text back by some minutes. */
export async function ageComments(dataDir: string, text: string, minutes: number): Promise<void> {
  const aged = await change(
    dataDir,
    'update comments set created_at = created_at - make_interval(mins => $2) where text = $1',
    [text, minutes],
  )
  if (aged === 0) throw new Error('there is no comment that could grow old')
}

/** Creates what can accumulate overnight: audit findings, figures, a backup, a failed mail and a failed job. */
export async function leaveANight(dataDir: string): Promise<void> {
  const finding = { rule: 'lessonNumbers', what: '', count: 21, ids: ['lesson 7', 'lesson 8'] }
  const gap = { rule: 'strayFile', why: 'The files could not be listed: away' }
  const outcomes = [
    { finding, gap: null },
    { finding: null, gap },
  ]
  // Dated tomorrow, so that the server's own audit of this night is older.
  await change(
    dataDir,
    `insert into audit_runs (night, began_at, due_at, finished_at, done, outcomes)
     values (current_date + 1, now(), now(), now(), '{a,b}', $1::jsonb) on conflict do nothing`,
    [JSON.stringify(outcomes)],
  )
  await change(
    dataDir,
    `insert into economy_days
     select current_date - place, 12000, 0, '{"created":900,"bought":-300,"share":30}', 9, '{"sameVideo":2}', 3, 2, 4, 1,
       9.5, 0.85, 0.3
     from generate_series(1, 90) place on conflict do nothing`,
  )
  await fillFigures(dataDir)
  await change(
    dataDir,
    `insert into unusual_accounts select id, 'withheld', 7 from users where role = 'administrator' limit 1
     on conflict do nothing`,
  )
  await change(
    dataDir,
    `insert into backup_runs (began_at, ended_at, daily, place, name, bytes)
     values (now(), now(), true, '/var/backups/bazaar', 'bazaar.tar', 4096)`,
  )
  await change(
    dataDir,
    `update mails set state = 'failed', last_error = '550 User unknown'
     where id = (select min(id) from mails)`,
  )
  await change(
    dataDir,
    `select graphile_worker.add_job('deliverWebhook', payload := '{"id":0}', run_at := now() + interval '1 day')`,
  )
  await change(
    dataDir,
    `update graphile_worker._private_jobs set attempts = 1, last_error = 'nobody answers'
     where payload::text in ('{"id": 0}', '{"id":0}')`,
  )
}

/** Counts 200 days for all authors, whose lessons are watched and searched for. */
async function fillFigures(dataDir: string): Promise<void> {
  for (const statement of [
    `insert into figure_days select current_date - ago, ago < 200 from generate_series(1, 365) ago on conflict do nothing`,
    `insert into item_days
     select owner_id, current_date - ago, kind, id, 1200 + ago, 30, 30, 20, 10, 5, 2, 9, 300, 10
     from generate_series(1, 60) ago, (
       select owner_id, 'lesson' as kind, id from lessons union all select owner_id, 'course', id from courses
     ) item on conflict do nothing`,
    `insert into author_days
     select owner_id, day, sum(views), sum(unlocks), sum(converted), sum(done), sum(likes), sum(comments), sum(ratings),
       sum(stars), sum(earned), sum(returned)
     from item_days group by owner_id, day on conflict do nothing`,
    `insert into lesson_curves
     select id, owner_id, 12, 600, '{12,12,11,11,6,6,5,5,4,3}' from lessons on conflict do nothing`,
    `insert into missed_terms select current_date - 1, repeat('търсене', 8), 7 on conflict do nothing`,
  ])
    await change(dataDir, statement)
}

/** Moves what was done with a lesson to the day before, and counts that day for its author. */
export async function countYesterday(
  dataDir: string,
  { author, lesson }: { readonly author: string; readonly lesson: number },
): Promise<void> {
  await change(dataDir, `update users set created_at = now() - interval '1 day' where id = $1`, [
    author,
  ])
  await change(
    dataDir,
    `update point_entries set created_at = created_at - interval '1 day' where item_kind = 'lesson' and item_id = $1`,
    [lesson],
  )
  await change(dataDir, 'delete from figure_days')
  await change(dataDir, `select graphile_worker.add_job('countFigures')`)
}

/** Inserts `count` alternating messages of two people, 40 seconds apart, `message 1` the oldest. */
export async function writeLongAgo(
  dataDir: string,
  [one, other]: readonly [string, string],
  count: number,
): Promise<void> {
  await change(
    dataDir,
    `insert into messages (sender_id, receiver_id, text, created_at, delivered_at, claimed_at)
     select case when number % 2 = 0 then $1::uuid else $2::uuid end,
       case when number % 2 = 0 then $2::uuid else $1::uuid end,
       'message ' || number || repeat(' and more', number % 7),
       now() - make_interval(secs => 40 * ($3 - number + 1)), now(), now()
     from generate_series(1, $3::int) as number order by number`,
    [one, other, count],
  )
  for (const [person, partner] of [
    [one, other],
    [other, one],
  ])
    await change(
      dataDir,
      `insert into conversations (user_id, other_id, last_message_id, unread)
       values ($1, $2, (select max(id) from messages where sender_id in ($1, $2)), 0)`,
      [person, partner],
    )
}

/** Inserts `count` comments of a person on a lesson, `comment number 1` the oldest. */
export async function leaveComments(
  dataDir: string,
  personId: string,
  lesson: number,
  count: number,
): Promise<void> {
  await change(
    dataDir,
    `insert into comments (lesson_id, user_id, text, text_folded)
     select $1::bigint, $2::uuid, 'comment number ' || number, 'comment number ' || number
     from generate_series(1, $3::int) as number order by number`,
    [lesson, personId, count],
  )
  await change(dataDir, 'update lessons set comments = comments + $2 where id = $1', [
    lesson,
    count,
  ])
}

/** Inserts a password reset link. `hash` is that of its secret. */
export async function leaveResetLink(
  dataDir: string,
  personId: string,
  hash: Buffer,
): Promise<void> {
  await change(
    dataDir,
    `insert into account_tokens (id, user_id, kind, hash, created_at, expires_at)
     values (gen_random_uuid(), $1, 'reset', $2, now(), now() + interval '1 hour')`,
    [personId, hash],
  )
}

/** Gives a person points as their lessons would. */
export async function givePoints(dataDir: string, personId: string, points: number): Promise<void> {
  await change(
    dataDir,
    `with balance as (
       insert into point_balances (user_id, net) values ($1::uuid, $2::int)
       on conflict (user_id) do update set net = point_balances.net + excluded.net returning net
     )
     insert into point_entries (user_id, amount, reason, occurrence, net_after, created_at)
     select $1::uuid, $2::int, 'welcome', gen_random_uuid()::text, net, now() from balance`,
    [personId, points],
  )
}

/** Moves what a person bought back by a day, so that it can't be returned any more. */
export async function agePurchases(dataDir: string, personId: string): Promise<void> {
  for (const kind of ['lesson', 'course'])
    await change(
      dataDir,
      `update ${kind}_purchases set created_at = created_at - interval '1 day' where user_id = $1`,
      [personId],
    )
}

/** Marks a lesson as the checks of its video do. */
export async function loseVideo(dataDir: string, lesson: number): Promise<void> {
  await change(
    dataDir,
    `update video_checks set failed_at = now() - interval '1 day', gone_at = now(),
       due_at = now() + interval '1 day' where lesson_id = $1`,
    [lesson],
  )
}

/** Makes a person an administrator, as the operator's command does. */
export async function makeAdministrator(dataDir: string, personId: string): Promise<void> {
  await change(dataDir, `update users set role = 'administrator' where id = $1`, [personId])
}
