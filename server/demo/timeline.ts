/** All that happens in the demo content, in the order of the days on which it happened. */
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
import { people } from '#server/demo/content/people.ts'
import type {
  DemoComment,
  DemoCourse,
  DemoFlag,
  DemoLesson,
  DemoPerson,
} from '#server/demo/content/types.ts'

export type DemoEvent = { readonly daysAgo: number } & (
  | { readonly kind: 'join'; readonly person: DemoPerson }
  | { readonly kind: 'publishLesson'; readonly lesson: DemoLesson }
  | { readonly kind: 'publishCourse'; readonly course: DemoCourse }
  | { readonly kind: 'buyLesson' | 'likeLesson'; readonly by: string; readonly title: string }
  | { readonly kind: 'buyCourse' | 'likeCourse'; readonly by: string; readonly title: string }
  | { readonly kind: 'comment'; readonly comment: DemoComment }
  | { readonly kind: 'flag'; readonly flag: DemoFlag }
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

/** Longest ago first. Buyers and likers come one after the other, once they had joined and the item was there. */
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
  ]
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
