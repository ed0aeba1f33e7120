/** What lessons and courses share: cards, rights, lists. An item is a lesson or a course. */
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

/** What the viewer may do with an item; the pages show exactly this and decide nothing again. */
export const rights = {
  edit: z.boolean(),
  delete: z.boolean(),
  like: z.boolean(),
  buy: z.boolean(),
  comment: z.boolean(),
  /** Give it stars: who unlocked it, and did not make it; from the moment that they opened it. */
  rate: z.boolean(),
}
export const Can = z.object({ see: z.boolean(), ...rights })
export type Can = z.infer<typeof Can>

const TONGUES = ['en', 'bg', 'other'] as const
/** What the words of an item are in. */
export const Tongue = z.enum(TONGUES)
export type Tongue = z.infer<typeof Tongue>

/** On cards and details alike, besides their numbers. */
export const card = {
  id: z.number(),
  title: z.string(),
  description: z.string(),
  thumbnail: ImagePath,
  tags: z.array(z.string()),
  /** Heard in its title, description and first words; null: in no language, or not heard yet. */
  language: z.nullable(Tongue),
  owner: z.string(),
  ownerName: z.string(),
  ownerImage: ImagePath,
  price: z.number(),
  date: Instant,
}

/** On cards only. */
export const onCards = {
  /** Open to everybody without a purchase: the free preview of a course. */
  free: z.boolean(),
  /** Only for the signed-in. */
  bought: z.optional(z.boolean()),
  liked: z.optional(z.boolean()),
}

/** On details: what else there is of the owner's; `OWNER_ITEMS_COUNTED` + 1: more than that. */
export const OwnerItems = z.object({ lessons: z.number(), courses: z.number() })
export type OwnerItems = z.infer<typeof OwnerItems>

/** What an author has done here, for people who choose: over living items alone. Nobody who unlocked them is named. */
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

/** What people need to choose a lesson that is still locked. */
export const whenLocked = {
  author: AuthorRecord,
  comments: z.number(),
  /** People who unlocked this lesson, purchases of its courses excluded. Counted to `UNLOCKS_COUNTED` + 1. */
  unlocks: z.number(),
  /** Length of the video, in seconds, as players reported it; null: not known. */
  videoSeconds: z.nullable(z.number()),
}

/** On details: whether the caller follows the owner. Guests follow nobody, and owners not themselves: then it is not there. */
export const FollowingOwner = z.optional(z.boolean())

/** Why items stand on the locked page of another: people unlocked both, or they share tags. */
export const Also = z.enum(['unlocked', 'tags'])
export type Also = z.infer<typeof Also>

const choice = { error: 'invalidChoice' } as const
export const Band = z.pipe(
  z.optional(z.enum(['0', '1', '2', '3'], choice)),
  z.transform((band) => Number(band ?? 0) as 0 | 1 | 2 | 3),
)
/** An item's number, as it stands on the shelf (numbers.ts); an average is null as long as there is none. */
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

/** The numbers of a kind, as fields of its cards. */
/* @__NO_SIDE_EFFECTS__ */
export function numbersOnCards<Kind extends ItemKind>(kind: Kind): NumberFields<NumberOf<Kind>> {
  return numberFields(numbersOf(kind))
}

/** The numbers of a kind, as fields of its details. */
/* @__NO_SIDE_EFFECTS__ */
export function numbersInDetails<Kind extends ItemKind>(kind: Kind): NumberFields<DetailOf<Kind>> {
  return numberFields(detailsOf(kind))
}

/** The bands that a kind's lists can be narrowed to, as parameters of their addresses. */
/* @__NO_SIDE_EFFECTS__ */
export function bandsInQuery<Kind extends ItemKind>(kind: Kind): Record<BandOf<Kind>, typeof Band> {
  return fieldsOf(bandsOf(kind), Band)
}

/** What a kind's lists can be sorted by; `none`: the newest first. */
/* @__NO_SIDE_EFFECTS__ */
export function sortsInQuery<Kind extends ItemKind>(kind: Kind) {
  return z.enum([...sortsOf(kind), 'none'], choice)
}
export const Sort = sortsInQuery('lesson')
export type Sort = SortOf | 'none'
/** Narrows a list to what is open to everybody. */
export const Free = z.optional(z.literal('1', choice))
/** Narrows a list to items in one language, as their cards name it. */
export const InLanguage = z.optional(z.enum(TONGUES, choice))
export const Search = z._default(
  z.string().check(z.maxLength(SEARCH_LENGTH, { error: 'searchTooLong' })),
  '',
)

/** How many items a chip would show; null: more than what is counted. */
const Found = z.nullable(z.number())
export const BandCounts = z.object({ any: Found, 1: Found, 2: Found, 3: Found })

/** The chips of a kind's list page. */
/* @__NO_SIDE_EFFECTS__ */
export function chipCounts<Kind extends ItemKind>(
  kind: Kind,
): Record<ChipOf<Kind>, typeof BandCounts> {
  return fieldsOf<ChipOf<Kind>, typeof BandCounts>(CHIPS[kind], BandCounts)
}

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
  /** What the owner got of these purchases, and gives back. */
  shares: z.number(),
  reward: z.number(),
  kbPoints: z.number(),
  debt: z.number(),
}

export const Paged = z.object({ page: z.optional(Page) })
/** What one has bought: the newest purchase first, or what one was last at. */
export const Bought = z.object({
  page: z.optional(Page),
  sort: z.optional(z.literal('opened', choice)),
})
export type BoughtSort = z.output<typeof Bought>['sort']
export const ById = z.object({ id: Id })
