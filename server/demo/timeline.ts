/** Lists all events of the demo content in chronological order. */
import { attempts } from '#server/demo/content/checks.ts'
import { commentsBg } from '#server/demo/content/comments-bg.ts'
import { commentsEn } from '#server/demo/content/comments-en.ts'
import { courses } from '#server/demo/content/courses.ts'
import { flags } from '#server/demo/content/flags.ts'
import { lessonsBg1 } from '#server/demo/content/lessons-bg-1.ts'
import { lessonsBg2 } from '#server/demo/content/lessons-bg-2.ts'
import { lessonsBg3 } from '#server/demo/content/lessons-bg-3.ts'
import { lessonsEn1 } from '#server/demo/content/lessons-en-1.ts'
import { lessonsEn2 } from '#server/demo/content/lessons-en-2.ts'
import { lessonsEn3 } from '#server/demo/content/lessons-en-3.ts'
import { messages } from '#server/demo/content/messages.ts'
import { notes } from '#server/demo/content/notes.ts'
import { people } from '#server/demo/content/people.ts'
import { certificates, progress } from '#server/demo/content/progress.ts'
import { ratings } from '#server/demo/content/ratings.ts'
import {
  problems,
  takenBack,
  throwAways,
  undelivered,
  withheld,
} from '#server/demo/content/troubles.ts'
import type {
  DemoAttempts,
  DemoCertificate,
  DemoComment,
  DemoCourse,
  DemoFlag,
  DemoLesson,
  DemoMessage,
  DemoNote,
  DemoPerson,
  DemoProblem,
  DemoProgress,
  DemoRating,
} from '#server/demo/content/types.ts'

export type DemoEvent = { readonly daysAgo: number } & (
  | { readonly kind: 'join'; readonly person: DemoPerson }
  | { readonly kind: 'publishLesson'; readonly lesson: DemoLesson }
  /** With the article of an older lesson, and therefore without a reward. */
  | { readonly kind: 'publishAgain'; readonly lesson: DemoLesson }
  | { readonly kind: 'takeBack'; readonly lesson: DemoLesson }
  | { readonly kind: 'publishCourse'; readonly course: DemoCourse }
  | { readonly kind: 'buyLesson' | 'likeLesson'; readonly by: string; readonly title: string }
  | { readonly kind: 'buyCourse' | 'likeCourse'; readonly by: string; readonly title: string }
  | { readonly kind: 'comment'; readonly comment: DemoComment }
  | { readonly kind: 'flag'; readonly flag: DemoFlag }
  | { readonly kind: 'progress'; readonly progress: DemoProgress }
  | { readonly kind: 'attempts'; readonly attempts: DemoAttempts }
  | { readonly kind: 'certificate'; readonly certificate: DemoCertificate }
  | { readonly kind: 'note'; readonly note: DemoNote }
  | { readonly kind: 'rating'; readonly rating: DemoRating }
  | { readonly kind: 'message'; readonly message: DemoMessage }
  | { readonly kind: 'suspend'; readonly username: string; readonly reason: string }
  | { readonly kind: 'problem'; readonly problem: DemoProblem }
  | { readonly kind: 'undelivered'; readonly mail: typeof undelivered }
)

export const lessons: readonly DemoLesson[] = [
  ...lessonsEn1,
  ...lessonsEn2,
  ...lessonsEn3,
  ...lessonsBg1,
  ...lessonsBg2,
  ...lessonsBg3,
]
export const comments: readonly DemoComment[] = [...commentsEn, ...commentsBg]

/** Oldest first. Buyers and likers follow one by one after they joined and the item exists. */
export function tellDemo(): DemoEvent[] {
  const joined = new Map(people.map((person) => [person.username, person.joinedDaysAgo]))
  const after = (published: number, username: string, place: number, share: number): number =>
    Math.min(published, joined.get(username) ?? published) * Math.max(0.1, share - 0.12 * place)
  const events: DemoEvent[] = [
    ...people.map((person) => ({
      kind: 'join' as const,
      person,
      daysAgo: person.joinedDaysAgo,
    })),
    ...lessons.map((lesson) => ({
      kind: 'publishLesson' as const,
      lesson,
      daysAgo: lesson.publishedDaysAgo,
    })),
    ...courses.map((course) => ({
      kind: 'publishCourse' as const,
      course,
      daysAgo: course.publishedDaysAgo,
    })),
    ...comments.map((comment) => ({
      kind: 'comment' as const,
      comment,
      daysAgo: comment.daysAgo,
    })),
    ...flags.map((flag) => ({ kind: 'flag' as const, flag, daysAgo: flag.daysAgo })),
    ...notes.map((note) => ({ kind: 'note' as const, note, daysAgo: note.daysAgo })),
    ...ratings.map((rating) => ({ kind: 'rating' as const, rating, daysAgo: rating.daysAgo })),
    ...attempts.map((taken) => ({
      kind: 'attempts' as const,
      attempts: taken,
      daysAgo: taken.daysAgo,
    })),
    ...certificates.map((certificate) => ({
      kind: 'certificate' as const,
      certificate,
      daysAgo: certificate.daysAgo,
    })),
    ...progress.map((told) => ({
      kind: 'progress' as const,
      progress: told,
      daysAgo: told.daysAgo,
    })),
  ]
  events.push(...tellTroubles())
  for (const { title, publishedDaysAgo, boughtBy, likedBy = [] } of lessons) {
    for (const [place, by] of boughtBy.entries())
      events.push({
        kind: 'buyLesson',
        by,
        title,
        daysAgo: after(publishedDaysAgo, by, place, 0.9),
      })
    for (const [place, by] of likedBy.entries())
      events.push({
        kind: 'likeLesson',
        by,
        title,
        daysAgo: after(publishedDaysAgo, by, place, 0.85),
      })
  }
  for (const { title, publishedDaysAgo, boughtBy, likedBy } of courses) {
    for (const [place, by] of boughtBy.entries())
      events.push({
        kind: 'buyCourse',
        by,
        title,
        daysAgo: after(publishedDaysAgo, by, place, 0.9),
      })
    for (const [place, by] of likedBy.entries())
      events.push({
        kind: 'likeCourse',
        by,
        title,
        daysAgo: after(publishedDaysAgo, by, place, 0.85),
      })
  }
  return events.toSorted((one, other) => other.daysAgo - one.daysAgo)
}

/** Exceptional cases and conversations. */
function tellTroubles(): DemoEvent[] {
  const first = lessons.find(({ title }) => title === withheld.of)
  if (first === undefined) throw new Error(`the demo content has no ${withheld.of}`)
  const again = { ...first, ...withheld, video: AGAIN_VIDEO, resource: null, views: 4 }
  const { publishedDaysAgo, deletedDaysAgo, title, boughtBy } = takenBack
  return [
    { kind: 'publishAgain', lesson: again, daysAgo: withheld.publishedDaysAgo },
    { kind: 'publishLesson', lesson: takenBack, daysAgo: publishedDaysAgo },
    ...boughtBy.map((by, place) => ({
      kind: 'buyLesson' as const,
      by,
      title,
      daysAgo: publishedDaysAgo - 20 + 4 * place,
    })),
    { kind: 'takeBack', lesson: takenBack, daysAgo: deletedDaysAgo },
    ...throwAways.flatMap(tellThrowAway),
    ...messages.map((message) => ({
      kind: 'message' as const,
      message,
      daysAgo: message.daysAgo,
    })),
    ...problems.map((problem) => ({
      kind: 'problem' as const,
      problem,
      daysAgo: problem.daysAgo,
    })),
    { kind: 'undelivered', mail: undelivered, daysAgo: undelivered.daysAgo },
  ]
}

const AGAIN_VIDEO = 'https://www.youtube.com/watch?v=c0mMa5aGa1n'

function tellThrowAway({ suspended, ...person }: (typeof throwAways)[number]): DemoEvent[] {
  const { username, lesson, text, daysAgo, joinedDaysAgo } = person
  return [
    { kind: 'join', person: { ...person, picture: null }, daysAgo: joinedDaysAgo },
    { kind: 'buyLesson', by: username, title: lesson, daysAgo: joinedDaysAgo - 0.1 },
    { kind: 'comment', comment: { lesson, by: username, daysAgo, text }, daysAgo },
    ...(suspended === null ? [] : [{ kind: 'suspend' as const, username, ...suspended }]),
  ]
}

/**
 * Returns the text of the comment that this one replies to: the newest earlier one by that person on the same
 * lesson.
 */
export function answered({ lesson, answers, daysAgo }: DemoComment): string {
  const earlier = comments
    .filter((one) => one.lesson === lesson && one.by === answers && one.daysAgo > daysAgo)
    .sort((one, other) => one.daysAgo - other.daysAgo)
  return earlier[0]?.text ?? ''
}
