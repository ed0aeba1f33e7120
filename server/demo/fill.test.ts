import { captions } from '#server/demo/content/captions.ts'
import { expect, test } from 'vitest'
import { courses } from '#server/demo/content/courses.ts'
import { flags } from '#server/demo/content/flags.ts'
import { followed } from '#server/demo/content/follows.ts'
import { attempts } from '#server/demo/content/checks.ts'
import { notes } from '#server/demo/content/notes.ts'
import { people } from '#server/demo/content/people.ts'
import { messages } from '#server/demo/content/messages.ts'
import { ratings } from '#server/demo/content/ratings.ts'
import { certificates, progress } from '#server/demo/content/progress.ts'
import { problems, takenBack, throwAways } from '#server/demo/content/troubles.ts'
import { fillDemo } from '#server/demo/fill.ts'
import { comments, lessons } from '#server/demo/timeline.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
await fillDemo({ ...app.app.core, passwordOf: () => 'secret of the demo', say: () => {} })

async function numbers() {
  const { rows } = await app.app.database.pool.query<Record<string, number>>(`
    select (select count(*) from users) as people,
      (select count(*) from lessons where deleted_at is null) as lessons,
      (select count(*) from messages) as messages, (select sum(unread)::bigint from conversations) as unread,
      (select count(*) from bug_reports) as problems, (select count(*) from bug_reports where done_at is null) as waiting,
      (select count(*) from users where suspended_at is not null) as suspended,
      (select count(*) from mails where state = 'failed') as undelivered, (select count(*) from mails) as mails,
      (select count(*) from moderation_log) as acts,
      (select count(*) from point_entries where reason = 'rewardWithheld') as withheld,
      (select count(*) from point_entries where reason = 'refunded') as refunds,
      (select count(*) from lesson_rewards) as "lessonRewards", (select count(*) from courses) as courses,
      (select count(*) from course_rewards) as "courseRewards", (select count(*) from comments) as comments,
      (select count(*) from comments where reply_to is not null) as answers,
      (select sum(comments)::bigint from lessons) as counted, (select count(*) from flags) as flags,
      (select count(distinct day) from owner_view_days) as "viewedDays",
      (select count(*) from lesson_purchases) as "lessonSales", (select count(*) from lesson_likes) as "lessonLikes",
      (select count(*) from course_purchases) as "courseSales", (select count(*) from course_likes) as "courseLikes",
      (select count(*) from lesson_progress) as progress, (select count(*) from notes) as notes,
      (select count(*) > 0 from notices where read_at is null) as unread_notices,
      (select count(*) > 0 from notices where read_at is not null) as read_notices,
      (select count(*) from events) as untold,
      (select sum(size)::bigint from lesson_checks) as questions, (select sum(attempts)::bigint from lesson_checks) as attempts,
      (select sum(attempts)::bigint from check_results) as taken, (select count(*) from check_results where passed_at is not null) as passed,
      (select count(*) from lesson_captions) as captions, (select count(*) from caption_offers) as "captionOffers",
      (select count(*) from certificates) as certificates,
      (select count(*) from ratings) as ratings, (select count(*) from ratings where answer is not null) as "ratingAnswers",
      (select count(*) from follows) as follows, (select sum(followers)::bigint from follow_counts) as followers,
      (select count(*) from point_balances where net < 0) as debtors,
      (select count(*) from point_entries where created_at > now() - interval '1 day') as "entriesOfToday"`)
  return rows[0]
}

test('everything exists once, even after a second run', async () => {
  const sum = (lists: readonly (readonly string[])[]) => lists.flat().length
  const expected = {
    people: people.length + throwAways.length,
    // Adds the one without a reward. The deleted lesson is gone.
    lessons: lessons.length + 1,
    messages: messages.length,
    unread: messages.filter(({ read }) => !read).length,
    problems: problems.length,
    waiting: problems.filter(({ done }) => !done).length,
    suspended: 1,
    undelivered: 1,
    mails: 1,
    acts: 2,
    withheld: 1,
    refunds: takenBack.boughtBy.length,
    lessonRewards: lessons.length,
    courses: courses.length,
    courseRewards: courses.length,
    comments: comments.length + throwAways.length,
    answers: comments.filter(({ answers }) => answers !== undefined).length,
    counted: comments.length + throwAways.length,
    flags: flags.length,
    viewedDays: 7,
    lessonSales: sum([...lessons.map(({ boughtBy }) => boughtBy), takenBack.boughtBy]),
    lessonLikes: sum(lessons.map(({ likedBy = [] }) => likedBy)),
    courseSales: sum(courses.map(({ boughtBy }) => boughtBy)),
    courseLikes: sum(courses.map(({ likedBy }) => likedBy)),
    // A person who rates a lesson has opened it.
    progress: new Set([
      ...progress.map(({ by, lesson }) => `${by} ${lesson}`),
      ...ratings.filter(({ kind }) => kind === 'lesson').map((one) => `${one.by} ${one.of}`),
    ]).size,
    notes: notes.length,
    unread_notices: true,
    read_notices: true,
    untold: 0,
    captions: 2 * captions.length,
    captionOffers: 1,
    questions: 10,
    attempts: sum(attempts.map(({ answers }) => answers.map(String))),
    taken: sum(attempts.map(({ answers }) => answers.map(String))),
    passed: 4,
    certificates: certificates.length,
    ratings: ratings.length,
    ratingAnswers: ratings.filter(({ answer }) => answer !== undefined).length,
    follows: followed.length,
    followers: followed.length,
    debtors: 0,
    entriesOfToday: 0,
  }
  expect(await numbers()).toEqual(expected)
  await fillDemo({ ...app.app.core, passwordOf: () => 'secret of the demo', say: () => {} })
  expect(await numbers()).toEqual(expected)
})

test('ledger entries are in chronological order', async () => {
  const { rows } = await app.app.database.pool.query(`
    select id from (
      select id, created_at, lag(created_at) over (partition by user_id order by id) as before from point_entries
    ) entry where created_at < before`)
  expect(rows).toEqual([])
})
