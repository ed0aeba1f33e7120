import { courses } from '#contract/courses.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { lessons } from '#contract/lessons.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { api } from '#web/core/api.ts'
import { to } from '#web/core/paths.ts'

export interface RemovableItem {
  readonly kind: 'lesson' | 'course'
  readonly id: number
  readonly title: string
  readonly owner: string
}

export type Removal = AnswerOf<typeof lessons.removal>
export type LeftCourse = Removal['courses'][number]

/** Returns what deleting takes back and refunds. @throws ApiError */
export async function fetchRemoval(kind: RemovableItem['kind'], id: number): Promise<Removal> {
  if (kind === 'lesson') return api(lessons.removal, { id })
  return { ...(await api(courses.removal, { id })), courses: [] }
}

/** Deletes the item and returns the caller's new balance. @throws ApiError */
export async function removeItem({ kind, id }: RemovableItem, reason?: string): Promise<number> {
  const call = kind === 'lesson' ? lessons.remove : courses.remove
  return (await api(call, { id, reason })).kbPoints
}

interface Words {
  readonly remove: MessageKey
  readonly forever: MessageKey
  readonly success: MessageKey
  readonly list: string
}

const WORDS: Readonly<Record<RemovableItem['kind'], Words>> = {
  lesson: {
    remove: 'deleteLesson',
    forever: 'deleteForever',
    success: 'successDeletedLesson',
    list: to.lessons(),
  },
  course: {
    remove: 'deleteCourse',
    forever: 'deleteCourseForever',
    success: 'successDeletedCourse',
    list: to.courses(),
  },
}

export const wordsFor = ({ kind }: RemovableItem): Words => WORDS[kind]
