/** What a person liked. Liking itself is a call of the lesson or course. */
import * as z from 'zod/mini'
import { CourseCard } from '#contract/courses.schemas.ts'
import { endpoints } from '#contract/endpoint.ts'
import { likes as calls } from '#contract/likes.ts'
import { Nothing } from '#contract/fields.schemas.ts'
import { LessonCard } from '#contract/lessons.schemas.ts'

export const Liked = z.object({ lessons: z.array(LessonCard), courses: z.array(CourseCard) })
export type Liked = z.infer<typeof Liked>

const schemas = {
  liked: {
    input: Nothing,
    answer: Liked,
    summary: 'Lessons and courses the caller liked, newest like first, up to 200 of each',
  },
}
export type LikesSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const likes = endpoints(calls, schemas)
