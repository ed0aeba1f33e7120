/** What lessons and courses share: cards, rights, lists. An item is a lesson or a course. */
import * as z from 'zod/mini'
import { Id, ImagePath, Instant, Page } from '#contract/fields.schemas.ts'
import { SEARCH_LENGTH } from '#contract/limits.ts'

/** What the viewer may do with an item; the pages show exactly this and decide nothing again. */
export const rights = {
  edit: z.boolean(),
  delete: z.boolean(),
  like: z.boolean(),
  buy: z.boolean(),
  comment: z.boolean(),
}
export const Can = z.object({ see: z.boolean(), ...rights })
export type Can = z.infer<typeof Can>

/** On cards and details alike. */
export const card = {
  id: z.number(),
  title: z.string(),
  description: z.string(),
  thumbnail: ImagePath,
  tags: z.array(z.string()),
  owner: z.string(),
  ownerName: z.string(),
  ownerImage: ImagePath,
  likes: z.number(),
  price: z.number(),
  date: Instant,
}

/** On cards only. */
export const onCards = {
  /** A count. */
  comments: z.number(),
  /** Only for the signed-in. */
  bought: z.optional(z.boolean()),
  liked: z.optional(z.boolean()),
}

const choice = { error: 'invalidChoice' } as const
export const Band = z.pipe(
  z.optional(z.enum(['0', '1', '2', '3'], choice)),
  z.transform((band) => Number(band ?? 0) as 0 | 1 | 2 | 3),
)
export const Sort = z.enum(['likes', 'views', 'comments', 'none'], choice)
export type Sort = z.infer<typeof Sort>
export const Search = z._default(
  z.string().check(z.maxLength(SEARCH_LENGTH, { error: 'searchTooLong' })),
  '',
)

/** How many items each chip would show; null: more than what is counted. */
const Count = z.nullable(z.number())
export const BandCounts = z.object({ any: Count, 1: Count, 2: Count, 3: Count })

/** What our own list pages know of a list, besides its items and its chips' numbers. */
export const listed = {
  /** Exact to 10,000; above, `more` is true. */
  total: z.number(),
  more: z.boolean(),
  page: z.number(),
  pages: z.number(),
  /** Set when a page beyond the last was asked for. */
  beyond: z.boolean(),
}

/** What deleting an item would undo, in KB Points; `kbPoints` and `debt` are the owner's after it. */
export const Consequences = {
  buyers: z.number(),
  refund: z.number(),
  reward: z.number(),
  kbPoints: z.number(),
  debt: z.number(),
}

export const Paged = z.object({ page: z.optional(Page) })
export const ById = z.object({ id: Id })
