/** Breaks each rule by hand in copies of a database with a history. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AuditRule } from '#contract/audit.ts'
import {
  audit,
  listRules,
  type AuditOptions,
  type AuditReport,
} from '#server/operate/audit/audit.ts'
import { fileRules } from '#server/operate/audit/rules/files.ts'
import { repairCounts } from '#server/operate/audit/repair.ts'
import { connect, type Db } from '#server/platform/db/connect.ts'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestApp } from '#server/testing/app.ts'
import { isThorough } from '#server/testing/lane.ts'
import { copyDatabase, liveThrough, spoil } from '#server/testing/lived-in.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const files = await makeTestFolder()
const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000' })
await liveThrough(app)
await cp(join(app.dataDir, 'files'), join(files, 'original'), { recursive: true })
const original = app.connection
await app.close()

let copies = 0

/** Runs `act` on a copy that the statements and `harm` (for the files) have corrupted. */
async function inCopy<Value>(
  harm: {
    readonly sql?: string
    readonly files?: (folder: string) => Promise<unknown>
    readonly work?: 'beats'
  },
  act: (db: Db, storage: Storage) => Promise<Value>,
): Promise<Value> {
  const connection = await copyDatabase(original)
  if (harm.sql !== undefined) await spoil(connection, harm.sql)
  const folder = join(files, `copy-${(copies += 1)}`)
  await cp(join(files, 'original'), folder, { recursive: true })
  await harm.files?.(folder)
  const opened = connect(connection, createLog('silent'), { work: harm.work ?? 'audit', size: 2 })
  try {
    return await act(opened.db, await createDiskStorage(folder))
  } finally {
    await opened.close()
  }
}

const auditCopy = (harm: Parameters<typeof inCopy>[0], options: AuditOptions = { isLive: false }) =>
  inCopy(harm, (db, storage) => audit({ db, storage }, options))

const rulesOf = ({ findings }: AuditReport) => findings.map(({ rule }) => rule)

/** For each rule, an id that a finding must contain, and the ways to break it. */
const BREACHES: Record<
  Exclude<AuditRule, 'pictureFileMissing' | 'resourceFileMissing' | 'strayFile'>,
  readonly [id: RegExp, ...ways: string[]]
> = {
  balanceNotSum: [
    /^person [0-9a-f-]{36}$/,
    `update point_balances set net = net + 1 where user_id = (select id from users where username = 'bob')`,
    `delete from point_balances where user_id = (select id from users where username = 'bob')`,
  ],
  entryNotRunning: [
    /^entry \d+$/,
    `update point_entries set net_after = net_after + 1 where id = (select max(id) from point_entries)`,
  ],
  boughtOnDebt: [
    /^entry \d+$/,
    `update point_entries set net_after = -1 where id = (select max(id) from point_entries where reason = 'bought')`,
  ],
  correctionUnexplained: [
    /^entry \d+$/,
    `update point_entries set reason = 'corrected' where id = (select max(id) from point_entries where reason = 'created')`,
  ],
  trustedWrongly: [
    /^(?:entry \d+|person \S+)$/,
    `update point_entries set reason = 'trusted', net_after = amount - 1
     where id = (select max(id) from point_entries where reason = 'bought')`,
    `insert into trusted_shares select user_id, lesson_id, 1 from lesson_purchases limit 1`,
  ],
  purchaseNotPaid: [
    /^person \S+, (?:lesson|course) \d+$/,
    `delete from lesson_purchases where lesson_id = (select max(lesson_id) from lesson_purchases)`,
    `insert into lesson_purchases (user_id, lesson_id, price)
     select u.id, (select min(id) from lessons), 100 from users u where username = 'carl'`,
    `update course_purchases set refunded = 83`,
    // A right to another item of the same price, and one whose price was refunded completely.
    `update lesson_purchases set lesson_id = 3 where user_id = (select id from users where username = 'carl')`,
    `delete from point_entries where item_kind = 'course' and reason = 'bought'; update course_purchases set refunded = price`,
  ],
  shareNotPaid: [
    /^(?:lesson|course) \d+$/,
    `update lesson_purchases set share = share + 1 where lesson_id = (select max(lesson_id) from lesson_purchases)`,
    `delete from point_entries where reason = 'share' and item_kind = 'course'`,
    `update author_shares set paid = paid - 1 where item_kind = 'course'`,
  ],
  ratingWithoutRight: [
    /^rating \d+$/,
    `insert into ratings (lesson_id, user_id, stars, created_at)
     select (select min(id) from lessons), id, 1, now() from users where username = 'carl'`,
    `insert into ratings (course_id, user_id, stars, created_at) select id, owner_id, 5, now() from courses`,
    `delete from course_purchases`,
  ],
  ownPurchase: [
    /^course \d+$/,
    `insert into course_purchases (user_id, course_id, price, lessons) select owner_id, id, 500, 6 from courses`,
  ],
  purchaseOfGone: [
    /^person \S+, (?:lesson|course) \d+$/,
    `update lessons set deleted_at = now() where id = (select min(lesson_id) from lesson_purchases)`,
    `update courses set deleted_at = now()`,
  ],
  formerLessonInvalid: [
    /^course \d+, lesson \d+$/,
    `update course_kept_lessons set last_purchase = 999`,
    `insert into course_lessons (course_id, lesson_id, position) select course_id, lesson_id, 99 from course_kept_lessons`,
  ],
  rewardNotEarned: [
    /^person \S+, (?:lesson|course) \d+$/,
    `update lesson_rewards set amount = 101 where lesson_id = (select min(lesson_id) from lesson_rewards)`,
    `delete from course_rewards; delete from course_reward_lessons`,
  ],
  captionsNotPaid: [
    /^lesson \d+, de$/,
    `update caption_offers set amount = 26 where amount > 0`,
    `delete from caption_offers where amount > 0`,
  ],
  rewardWithoutItem: [
    /^(?:lesson|course) \d+$/,
    `insert into lesson_rewards select 999, user_id, amount, day, video_id, shingles from lesson_rewards limit 1`,
    `update lessons set deleted_at = now() where id = (select min(lesson_id) from lesson_rewards)`,
    `update course_rewards set user_id = (select id from users where username = 'bob')`,
  ],
  courseRewardTooFew: [
    /^course \d+(?:, lesson \d+)?$/,
    `delete from course_reward_lessons where lesson_id = (select min(lesson_id) from course_reward_lessons)`,
    `insert into course_reward_lessons select r.lesson_id, k.id from lesson_rewards r, courses k
     where not exists (select from course_lessons h where h.lesson_id = r.lesson_id) limit 1`,
  ],
  lessonNumbers: [
    /^lesson [12]$/,
    `update lessons set likes = likes + 1 where id = 1`,
    `update lessons set comments = comments + 1 where id = 2`,
    `update lessons set ratings = ratings + 1 where id = 2`,
    `update lessons set rating_stars = rating_stars + 1 where id = 2`,
    `update lessons set rating_rank = rating_rank + 1 where id = 2`,
  ],
  courseNumbers: [
    /^course \d+$/,
    `update courses set likes = likes + 1`,
    `update courses set comments = comments + 1`,
    `update courses set rating_stars = rating_stars + 1`,
  ],
  courseLessonCount: [/^course \d+$/, `update courses set lesson_count = lesson_count + 1`],
  viewsTooFew: [/^lesson \d+$/, `update lessons set views = 0`],
  followersNumber: [
    /^person \S+$/,
    `update follow_counts set followers = 7`,
    `delete from follow_counts`,
  ],
  unreadTooMany: [/^person \S+, with \S+$/, `update conversations set unread = 7`],
  itemWithoutContents: [
    /^(?:lesson 1|course \d+)$/,
    `delete from lesson_contents where lesson_id = 1`,
    `delete from course_contents`,
  ],
  courseHoldsGone: [
    /^course \d+(?:, lesson \d+)?$/,
    `insert into course_lessons (course_id, lesson_id, position)
     select k.id, l.id, 99 from courses k, lessons l where l.deleted_at is not null and not l.kept_for_buyers`,
    `delete from course_lessons`,
    `update course_contents set free_preview = (select max(id) from lessons)`,
  ],
  resourceNotAttached: [
    /^(?:lesson \d+|upload \S+)$/,
    `update uploads set lesson_id = null`,
    `update lesson_contents set resources = 'https://files.example/knots.txt'`,
    `update uploads set lesson_id = 999`,
  ],
  conversationBroken: [
    /^person \S+, with \S+$/,
    `delete from conversations where user_id = (select id from users where username = 'carl')`,
    `update conversations set last_message_id = (select min(id) from messages)`,
  ],
  certificateIncomplete: [
    /^certificate \d+$/,
    `insert into certificates (code, user_id, course_id, name, course_title, course_description, lessons, author_name, issued_at)
     select 'x', u.id, k.id, 'Bob', 'Knots', '', '{}', 'ann', now() from users u, courses k where username = 'bob'`,
  ],
  brokenReference: [
    /^\w+\.(?:lesson_id 999|course_id 999|(?:user|author)_id \S+)$/,
    `update lesson_progress set lesson_id = 999`,
    `update notes set lesson_id = 999`,
    `insert into check_results select u.id, 999, 1, 1, 1, 1, '[]', now(), 1, 1, 1, '[]', now(), now() from users u limit 1`,
    `update follows set author_id = '00000000-0000-7000-8000-000000000000'`,
    `update notices set user_id = '00000000-0000-7000-8000-000000000000'`,
    `update ratings set course_id = 999 where course_id is not null`,
    `insert into lesson_likes (user_id, lesson_id) select id, 999 from users limit 1`,
    `delete from users where username = 'carl'`,
  ],
  missingSubject: [
    /^(?:notice|entry|report) \d+$|^lesson 999$/,
    `update notices set item_id = 999 where item_kind = 'lesson'`,
    `insert into lesson_views values (current_date, 999, 'somebody')`,
    `update flags set subject_id = '999'`,
    `update flags set subject_id = 'nothing', kind = 'profile'`,
    `update point_entries set item_id = 999 where id = (select min(id) from point_entries where item_kind = 'lesson')`,
  ],
  sequenceBehind: [/^lessons\.id$/, `select setval(pg_get_serial_sequence('lessons', 'id'), 1)`],
}

test('a database with a history has no findings, and no table is left behind', async () => {
  const [report, tables] = await inCopy({}, async (db, storage) => [
    await audit({ db, storage }, { isLive: false }),
    await db.introspection.getTables(),
  ])
  expect(tables.map(({ name }) => name)).not.toContain('audit_listing')
  expect(report).toEqual({ findings: [], unproved: [], steps: expect.any(Number) })
  expect(report.steps).toBeGreaterThan(50)
  expect(rulesOf(await auditCopy({}, { isLive: true }))).toEqual([])
})

describe('it finds', () => {
  for (const [rule, [id, ...ways]] of Object.entries(BREACHES))
    // test:more runs every way to break a rule, npm test the first one.
    for (const [place, sql] of (isThorough() ? ways : ways.slice(0, 1)).entries())
      test(`${rule}, ${place + 1}`, async () => {
        const { findings } = await auditCopy({ sql })
        const found = findings.find((finding) => finding.rule === rule)
        expect(found?.count).toBeGreaterThan(0)
        expect(found?.ids).toContainEqual(expect.stringMatching(id))
      })

  test('a picture with a missing size', async () => {
    const report = await auditCopy({
      files: async (folder) => {
        const [key = ''] = await readdir(join(folder, 'pictures'))
        await rm(join(folder, 'pictures', key, '640.webp'))
      },
    })
    expect(report.findings).toMatchObject([{ rule: 'pictureFileMissing', count: 1 }])
    expect(report.findings[0]?.ids).toEqual([expect.stringMatching(/^pictures\/[0-9a-f]{40}$/)])
  })

  test('a resource without its file, but not an unfinished one', async () => {
    const gone = { files: (folder: string) => rm(join(folder, 'resources'), { recursive: true }) }
    const report = await auditCopy(gone)
    expect(report.findings).toMatchObject([{ rule: 'resourceFileMissing', count: 1 }])
    const unfinished = 'update uploads set finished_at = null'
    expect(rulesOf(await auditCopy({ ...gone, sql: unfinished }))).toEqual([])
  })

  test('files without a row', async () => {
    const { findings } = await auditCopy({
      files: async (folder) => {
        await mkdir(join(folder, 'pictures', 'a'.repeat(40)))
        await writeFile(join(folder, 'pictures', 'a'.repeat(40), '320.webp'), 'x')
        await writeFile(join(folder, 'pictures', 'loose.webp'), 'x')
        await writeFile(join(folder, 'resources', '01930000-0000-7000-8000-000000000000'), 'x')
        await writeFile(join(folder, 'resources', 'notes'), 'x')
      },
    })
    expect(findings).toMatchObject([{ rule: 'strayFile', count: 4 }])
    expect(findings[0]?.ids).toEqual([
      `pictures/${'a'.repeat(40)}`,
      'pictures/loose.webp',
      'resources/01930000-0000-7000-8000-000000000000',
      'resources/notes',
    ])
  })
})

test('every rule is tested above', async () => {
  const rules = await inCopy({}, (db) => listRules(db))
  const names = new Set([...rules, ...fileRules(true)].map(({ name }) => name))
  const broken = [
    ...Object.keys(BREACHES),
    'pictureFileMissing',
    'resourceFileMissing',
    'strayFile',
  ]
  expect([...names].toSorted()).toEqual(broken.toSorted())
})

describe('while the site runs', () => {
  const loseOne = async (folder: string) => {
    const [key = ''] = await readdir(join(folder, 'pictures'))
    await rm(join(folder, 'pictures', key), { recursive: true })
  }

  test('a new picture may still be in transit', async () => {
    expect(rulesOf(await auditCopy({ files: loseOne }, { isLive: true }))).toEqual([])
    const sql = `update pictures set created_at = now() - interval '1 hour'`
    expect(rulesOf(await auditCopy({ sql, files: loseOne }, { isLive: true }))).toEqual([
      'pictureFileMissing',
    ])
  })

  test('files added or removed since the listing are checked again', async () => {
    const sql = `update pictures set created_at = now() - interval '1 hour'`
    const report = await inCopy({ sql }, async (db, storage) => {
      /** Simulates a file that arrived after the listing and one that was deleted. */
      const list = async function* (prefix: string) {
        if (prefix === 'resources/') yield 'resources/01930000-0000-7000-8000-000000000000'
        else yield* storage.list(prefix)
      }
      return audit({ db, storage: { ...storage, list } })
    })
    expect(report.findings).toEqual([])
  })
})

test('a finding names at most twenty ids, and the total', async () => {
  const { findings } = await auditCopy({
    sql: `insert into lesson_views select current_date, 900 + n, 'somebody' from generate_series(1, 50) n`,
  })
  expect(findings).toMatchObject([{ rule: 'missingSubject', count: 50 }])
  expect(findings[0]?.ids).toHaveLength(20)
})

test('a statement timeout and an unavailable storage are reported and stop nothing', async () => {
  // Takes longer than the statement timeout of this work.
  const sql = `create function slowly() returns boolean language plpgsql as $$ begin perform pg_sleep(5); return true; end $$;
    alter table flags rename to real_flags; create view flags as select * from real_flags where slowly();
    update point_balances set net = net + 1`
  const report = await inCopy({ sql, work: 'beats' }, (db, storage) => {
    const list = () => {
      throw new Error('the bucket is away')
    }
    return audit({ db, storage: { ...storage, list } })
  })
  expect(rulesOf(report)).toContain('balanceNotSum')
  expect(report.unproved).toEqual([
    { rule: 'strayFile', why: 'The files could not be listed: the bucket is away' },
    { rule: 'missingSubject', why: expect.stringContaining('reports took longer') },
  ])
})

test('the repair corrects counts and nothing else', async () => {
  const sql = `update lessons set likes = 9, comments = 9, views = 0; update courses set likes = 9, comments = 9, lesson_count = 9;
    update lessons set ratings = 9, rating_stars = 8, rating_rank = 7;
    update conversations set unread = 7; update follow_counts set followers = 7; update point_balances set net = net + 1`
  const { before, repaired, after } = await inCopy({ sql }, async (db, storage) => ({
    before: await audit({ db, storage }),
    repaired: await repairCounts(db),
    after: await audit({ db, storage }),
  }))
  expect(rulesOf(before)).toEqual([
    'balanceNotSum',
    'lessonNumbers',
    'courseNumbers',
    'courseLessonCount',
    'viewsTooFew',
    'followersNumber',
    'unreadTooMany',
  ])
  expect(repaired.lessons).toBeGreaterThan(5)
  expect(repaired).toMatchObject({ courses: 2, conversations: 3, people: 1 })
  expect(rulesOf(after)).toEqual(['balanceNotSum'])
})
