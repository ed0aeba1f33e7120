/**
 * Declares each number on the cards of lessons and courses once; card fields, bands, sorts and columns are derived
 * from it. Where a number is stored and counted is in server/items/shared/number-sources.ts; see CONTRIBUTING.md.
 */
import type { MessageKey } from '#contract/messages/messages.ts'
import type { ItemKind } from '#contract/points.ts'

interface ShelfNumber {
  /** The kinds of items that have it. */
  readonly kinds: readonly ItemKind[]
  /** Its order on cards and in the sort menu. */
  readonly place: number
  /** Details contain it too, as a field of the same name. */
  readonly inDetails: boolean
  /** Lists can be filtered by bands of it (`BANDS`), with a parameter of its name. */
  readonly inBands: boolean
  /** The name in the sort menu and of its chips. */
  readonly name: MessageKey
  /** The label of a list sorted by it. Null if lists can't be sorted by it. */
  readonly sorted: MessageKey | null
  /** An average is null while there are too few values. */
  readonly value: 'count' | 'average'
  /** Its icon and unit among the figures of cards and details. Null if it is displayed in another way. */
  readonly shown: { readonly icon: 'heart' | 'eye' | 'talk'; readonly unit: MessageKey } | null
}

/** In the order of the bands in query strings. */
export const NUMBERS = {
  views: {
    kinds: ['lesson'],
    place: 2,
    inDetails: true,
    inBands: true,
    name: 'views',
    sorted: 'sortedViews',
    value: 'count',
    shown: { icon: 'eye', unit: 'viewsUnit' },
  },
  likes: {
    kinds: ['lesson', 'course'],
    place: 1,
    inDetails: true,
    inBands: true,
    name: 'likes',
    sorted: 'sortedLikes',
    value: 'count',
    shown: { icon: 'heart', unit: 'likesUnit' },
  },
  comments: {
    kinds: ['lesson', 'course'],
    place: 3,
    // In details this name means the comments themselves; their number is `commentCount`.
    inDetails: false,
    inBands: true,
    name: 'comments',
    sorted: 'sortedComments',
    value: 'count',
    shown: { icon: 'talk', unit: 'commentsUnit' },
  },
  // The number of ratings. Shown beside the average, which lists are sorted by.
  ratings: {
    kinds: ['lesson', 'course'],
    place: 5,
    inDetails: true,
    inBands: false,
    name: 'ratings',
    sorted: null,
    value: 'count',
    shown: null,
  },
  rating: {
    kinds: ['lesson', 'course'],
    place: 4,
    inDetails: true,
    inBands: false,
    name: 'rating',
    sorted: 'sortedRating',
    value: 'average',
    shown: null,
  },
} as const satisfies Readonly<Record<string, ShelfNumber>>

type Shelf = typeof NUMBERS
export type NumberName = keyof Shelf
export type KindOf<Name extends NumberName> = Shelf[Name]['kinds'][number]

export type NumberOf<Kind extends ItemKind = ItemKind> = {
  [Name in NumberName]: Kind extends KindOf<Name> ? Name : never
}[NumberName]
export type DetailOf<Kind extends ItemKind = ItemKind> = {
  [Name in NumberOf<Kind>]: Shelf[Name]['inDetails'] extends true ? Name : never
}[NumberOf<Kind>]
export type BandOf<Kind extends ItemKind = ItemKind> = {
  [Name in NumberOf<Kind>]: Shelf[Name]['inBands'] extends true ? Name : never
}[NumberOf<Kind>]
export type SortOf<Kind extends ItemKind = ItemKind> = {
  [Name in NumberOf<Kind>]: Shelf[Name]['sorted'] extends null ? never : Name
}[NumberOf<Kind>]

export type ValueOf<Name extends NumberName> = Shelf[Name]['value'] extends 'average'
  ? number | null
  : number
/** The numbers among the figures of a card. */
export type FigureOf<Kind extends ItemKind = ItemKind> = {
  [Name in NumberOf<Kind>]: Shelf[Name]['shown'] extends null ? never : Name
}[NumberOf<Kind>]

/** The numbers that have filter chips on list pages. A phone has room for two. */
export const CHIPS = {
  lesson: ['views', 'likes'],
  course: ['comments', 'likes'],
} as const satisfies { readonly [Kind in ItemKind]: readonly BandOf<Kind>[] }
export type ChipOf<Kind extends ItemKind> = (typeof CHIPS)[Kind][number]

const SHELF: Readonly<Record<NumberName, ShelfNumber>> = NUMBERS
const NAMES = Object.keys(NUMBERS) as NumberName[]

/** Returns the matching numbers of a kind in the order of query strings. */
/* @__NO_SIDE_EFFECTS__ */
function namesWith(kind: ItemKind, has: (number: ShelfNumber) => boolean): NumberName[] {
  return NAMES.filter((name) => SHELF[name].kinds.includes(kind) && has(SHELF[name]))
}

const byPlace = (one: NumberName, other: NumberName) => NUMBERS[one].place - NUMBERS[other].place

/** Returns a kind's numbers in the order of its cards. */
/* @__NO_SIDE_EFFECTS__ */
export function numbersOf<Kind extends ItemKind>(kind: Kind): NumberOf<Kind>[] {
  return namesWith(kind, () => true).sort(byPlace) as NumberOf<Kind>[]
}

/* @__NO_SIDE_EFFECTS__ */
export function figuresOf<Kind extends ItemKind>(kind: Kind): FigureOf<Kind>[] {
  return namesWith(kind, ({ shown }) => shown !== null).sort(byPlace) as FigureOf<Kind>[]
}

/* @__NO_SIDE_EFFECTS__ */
export function detailsOf<Kind extends ItemKind>(kind: Kind): DetailOf<Kind>[] {
  return namesWith(kind, ({ inDetails }) => inDetails).sort(byPlace) as DetailOf<Kind>[]
}

/** Returns the numbers with bands, in the order of query strings. */
/* @__NO_SIDE_EFFECTS__ */
export function bandsOf<Kind extends ItemKind>(kind: Kind): BandOf<Kind>[] {
  return namesWith(kind, ({ inBands }) => inBands) as BandOf<Kind>[]
}

/** All numbers with bands, of either kind. */
export const BAND_NAMES = NAMES.filter((name): name is BandOf => SHELF[name].inBands)

/** Returns the sortable numbers in the order of the menu. */
/* @__NO_SIDE_EFFECTS__ */
export function sortsOf<Kind extends ItemKind>(kind: Kind): SortOf<Kind>[] {
  return namesWith(kind, ({ sorted }) => sorted !== null).sort(byPlace) as SortOf<Kind>[]
}
