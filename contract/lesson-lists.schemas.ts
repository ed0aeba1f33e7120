/** What the address of the list of lessons may say. Apart, because the list page judges nothing else. */
import * as z from 'zod/mini'
import { Page, UserId } from '#contract/fields.schemas.ts'
import { bandsInQuery, Free, InLanguage, Search, Sort } from '#contract/items.schemas.ts'

export const LessonQuery = z.object({
  search: Search,
  sort: z._default(Sort, 'none'),
  ...bandsInQuery('lesson'),
  free: Free,
  language: InLanguage,
  owner: z.optional(UserId),
  page: z.optional(Page),
})
export type LessonQuery = z.output<typeof LessonQuery>
