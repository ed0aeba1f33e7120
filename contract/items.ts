/** What lessons and courses share. An item is a lesson or a course. */
import * as z from 'zod/mini'
import { Id, ImagePath, Instant, Page } from '#contract/fields.ts'
import { SEARCH_LENGTH } from '#contract/limits.ts'
import {
  bandsOf,
  CHIPS,
  detailsOf,
  NUMBERS,
  numbersOf,
  sortsOf,
  type BandOf,
  type ChipOf,
  type DetailOf,
  type NumberName,
  type NumberOf,
  type SortOf,
} from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'

/** What the viewer may do with an item. Pages use these flags and don't decide again. */
export const rights = {
  edit: z.boolean(),
  delete: z.boolean(),
  like: z.boolean(),
  buy: z.boolean(),
  comment: z.boolean(),
  /** True if the viewer unlocked and opened the item, and doesn't own it. */
  rate: z.boolean(),
}
export const Can = z.object({ see: z.boolean(), ...rights })
export type Can = z.infer<typeof Can>

/** Languages that are detected, which are fewer than those of the pages. */
export const DETECTED_LANGUAGES = ['en', 'bg'] as const
const ITEM_LANGUAGES = [...DETECTED_LANGUAGES, 'other'] as const
export const ItemLanguage = z.enum(ITEM_LANGUAGES)
export type ItemLanguage = z.infer<typeof ItemLanguage>

/** ISO 639-1 codes of the languages that captions may be in. */
export const CAPTION_LANGUAGES = [
  'en',
  'bg',
  'ar',
  'cs',
  'de',
  'el',
  'es',
  'fr',
  'hi',
  'hr',
  'hu',
  'it',
  'ja',
  'ko',
  'mk',
  'nl',
  'pl',
  'pt',
  'ro',
  'ru',
  'sq',
  'sr',
  'sv',
  'tr',
  'uk',
  'zh',
] as const
export const CaptionLanguage = z.enum(CAPTION_LANGUAGES, { error: 'invalidChoice' })
export type CaptionLanguage = z.infer<typeof CaptionLanguage>

/** Fields of cards and details, apart from their numbers. */
export const card = {
  id: z.number(),
  title: z.string(),
  description: z.string(),
  thumbnail: ImagePath,
  tags: z.array(z.string()),
  /** Detected from title, description and opening. Null if no language was detected, or not yet. */
  language: z.nullable(ItemLanguage),
  owner: z.string(),
  ownerName: z.string(),
  ownerImage: ImagePath,
  price: z.number(),
  date: Instant,
}

export const onCards = {
  /** Open to everybody without a purchase, as a course's free preview is. */
  free: z.boolean(),
  /** Only for signed-in callers. */
  bought: z.optional(z.boolean()),
  liked: z.optional(z.boolean()),
}

/** Other items of the owner. `OWNER_ITEMS_COUNTED` + 1 means more than that. */
export const OwnerItems = z.object({ lessons: z.number(), courses: z.number() })
export type OwnerItems = z.infer<typeof OwnerItems>

/** An author's record over living items, for people who decide. It names nobody who unlocked them. */
export const AuthorRecord = z.object({
  /** When the first of their lessons was published. */
  since: Instant,
  /** Up to two tags, the commonest first. Each is on two of their newest 100 lessons at least, and on a third of these. */
  tags: z.array(z.string()),
  /** How often their lessons and courses were unlocked. Counted to `UNLOCKS_COUNTED` + 1. */
  unlocks: z.number(),
  /** The average of all their ratings, to one decimal; null: fewer than three. */
  rating: z.nullable(z.number()),
})
export type AuthorRecord = z.infer<typeof AuthorRecord>

/** Until when the caller may return what they bought, and how many KB Points they get. Null if they may not. */
export const Returnable = z.nullable(z.object({ until: Instant, kbPoints: z.number() }))
export type Returnable = z.infer<typeof Returnable>

/** Helps people to decide about a locked lesson. */
export const whenLocked = {
  author: AuthorRecord,
  comments: z.number(),
  /** People who unlocked this lesson on its own, not as part of a course. Counted up to `UNLOCKS_COUNTED` + 1. */
  unlocks: z.number(),
  /** Length of the video in seconds, as players reported it, or null. */
  videoSeconds: z.nullable(z.number()),
}

/** About the owner of an item in its details. */
export const aboutOwner = {
  ownerItems: OwnerItems,
  /** Whether the caller follows them. Absent for guests and for the owner. */
  following: z.optional(z.boolean()),
}

/** Why items are suggested on a locked page: people unlocked both, or they share tags. */
export const Also = z.enum(['unlocked', 'tags'])
export type Also = z.infer<typeof Also>

const choice = { error: 'invalidChoice' } as const
export const Band = z.pipe(
  z.optional(z.enum(['0', '1', '2', '3'], choice)),
  z.transform((band) => Number(band ?? 0) as 0 | 1 | 2 | 3),
)
/** Types of an item's numbers (numbers.ts). An average is null while there are no values. */
const VALUES = { count: z.number(), average: z.nullable(z.number()) } as const
type ValueSchema<Name extends NumberName> = (typeof VALUES)[(typeof NUMBERS)[Name]['value']]
type NumberFields<Name extends NumberName> = { [Each in Name]: ValueSchema<Each> }

/* @__NO_SIDE_EFFECTS__ */
function fieldsOf<Name extends string, Field>(names: readonly Name[], field: Field) {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>
}

/* @__NO_SIDE_EFFECTS__ */
function numberFields<Name extends NumberName>(names: readonly Name[]): NumberFields<Name> {
  return Object.fromEntries(
    names.map((name) => [name, VALUES[NUMBERS[name].value]]),
  ) as NumberFields<Name>
}

/* @__NO_SIDE_EFFECTS__ */
export function numbersOnCards<Kind extends ItemKind>(kind: Kind): NumberFields<NumberOf<Kind>> {
  return numberFields(numbersOf(kind))
}

/* @__NO_SIDE_EFFECTS__ */
export function numbersInDetails<Kind extends ItemKind>(kind: Kind): NumberFields<DetailOf<Kind>> {
  return numberFields(detailsOf(kind))
}

/** The query parameters for the bands that filter a kind's lists. */
/* @__NO_SIDE_EFFECTS__ */
export function bandsInQuery<Kind extends ItemKind>(kind: Kind): Record<BandOf<Kind>, typeof Band> {
  return fieldsOf(bandsOf(kind), Band)
}

/** The sort orders of a kind's lists. `none` sorts newest first. */
/* @__NO_SIDE_EFFECTS__ */
export function sortsInQuery<Kind extends ItemKind>(kind: Kind) {
  return z.enum([...sortsOf(kind), 'none'], choice)
}
export const Sort = sortsInQuery('lesson')
export type Sort = SortOf | 'none'
/** Limits a list to items that are open to everybody. */
export const Free = z.optional(z.literal('1', choice))
/** Limits a list to items in one language. */
export const InLanguage = z.optional(z.enum(ITEM_LANGUAGES, choice))
/** Limits a list to lessons with captions in this language. */
export const WithCaptions = z.optional(CaptionLanguage)
/**
 * The filters of each kind's lists besides the bands of their numbers. Queries, conditions, cache keys and addresses
 * follow from these.
 */
export const FILTER_NAMES = ['free', 'language', 'captions'] as const
export type FilterName = (typeof FILTER_NAMES)[number]
export const FILTERS = {
  lesson: { free: Free, language: InLanguage, captions: WithCaptions } satisfies Record<
    FilterName,
    z.ZodMiniType
  >,
  course: { language: InLanguage },
} as const
type Filter = (typeof FILTERS)['lesson']
export type Filters = { readonly [Name in FilterName]?: z.output<Filter[Name]> }
export const Search = z._default(
  z.string().check(z.maxLength(SEARCH_LENGTH, { error: 'searchTooLong' })),
  '',
)

/** Matches of a filter chip. Null if there are more than the server counts. */
const Found = z.nullable(z.number())
export const BandCounts = z.object({ any: Found, 1: Found, 2: Found, 3: Found })

/* @__NO_SIDE_EFFECTS__ */
export function chipCounts<Kind extends ItemKind>(
  kind: Kind,
): Record<ChipOf<Kind>, typeof BandCounts> {
  return fieldsOf<ChipOf<Kind>, typeof BandCounts>(CHIPS[kind], BandCounts)
}

/** Totals of a list for our own pages. */
export const listed = {
  /** Exact up to 10,000; `more` is true above that. */
  total: z.number(),
  more: z.boolean(),
  page: z.number(),
  pages: z.number(),
  /** True if the requested page is beyond the last one. */
  beyond: z.boolean(),
}

/** What deleting an item would undo, in KB Points. `kbPoints` and `debt` are the owner's values afterwards. */
export const Consequences = {
  buyers: z.number(),
  refund: z.number(),
  /** The owner's shares of these purchases, which they pay back. */
  shares: z.number(),
  reward: z.number(),
  kbPoints: z.number(),
  debt: z.number(),
}

export const Paged = z.object({ page: z.optional(Page) })
/** The caller's purchases, ordered by purchase or by last visit, newest first. */
export const Bought = z.object({
  page: z.optional(Page),
  sort: z.optional(z.literal('opened', choice)),
})
export type BoughtSort = z.output<typeof Bought>['sort']
export const ById = z.object({ id: Id })
