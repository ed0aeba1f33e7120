/** What the address of the list of courses may say. Apart, because the list page judges nothing else. */
import * as z from 'zod/mini'
import { Page, UserId } from '#contract/fields.schemas.ts'
import { bandsInQuery, InLanguage, Search, sortsInQuery } from '#contract/items.schemas.ts'

export const CourseSort = sortsInQuery('course')
export type CourseSort = z.infer<typeof CourseSort>
export const CourseQuery = z.object({
  search: Search,
  sort: z._default(CourseSort, 'none'),
  ...bandsInQuery('course'),
  language: InLanguage,
  owner: z.optional(UserId),
  page: z.optional(Page),
})
export type CourseQuery = z.output<typeof CourseQuery>
