/**
 * The shelf of numbers: what is counted of lessons and courses and stands on their cards, each declared once. Fields of
 * cards, bands and sorts of lists, columns of statements and what a card shows all come from here. Where a number is
 * stored and what it counts stands in server/items/number-sources.ts; docs/adding-a-number.md tells how to add one.
 */
import type { MessageKey } from '#contract/messages/messages.ts'
import type { ItemKind } from '#contract/points.ts'

interface ShelfNumber {
  /** Which items have it. */
  readonly kinds: readonly ItemKind[]
  /** Its place among the others, on cards and in the menu of sorts. */
  readonly place: number
  /** Details have it too, as a field of the same name. */
  readonly inDetails: boolean
  /** Lists can be narrowed to bands of it (`BANDS`), by a parameter of its name. */
  readonly inBands: boolean
  /** How the menu of sorts and the row of its chips call it. */
  readonly name: MessageKey
  /** Lists can be sorted by it, and then say so; null: they can not. */
  readonly sorted: MessageKey | null
  /** A count; or an average, which is null as long as there is too little to form it of. */
  readonly value: 'count' | 'average'
  /** On cards and in details, among the figures: its picture, and its unit in words; null: it has a look of its own. */
  readonly shown: { readonly icon: 'heart' | 'eye' | 'talk'; readonly unit: MessageKey } | null
}

/** In the order in which addresses name their bands. */
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
    // There the word means the comments themselves; their number is `commentCount`.
    inDetails: false,
    inBands: true,
    name: 'comments',
    sorted: 'sortedComments',
    value: 'count',
    shown: { icon: 'talk', unit: 'commentsUnit' },
  },
  // How many have rated it. It stands beside the average, which lists are sorted by.
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
/** The kinds that a number counts something of. */
export type KindOf<Name extends NumberName> = Shelf[Name]['kinds'][number]

/** The numbers of a kind; of both, unless one is given. */
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

/** What a number is on cards: a count, or an average that there may be none of. */
export type ValueOf<Name extends NumberName> = Shelf[Name]['value'] extends 'average'
  ? number | null
  : number
/** The numbers that stand among the figures of a card. */
export type FigureOf<Kind extends ItemKind = ItemKind> = {
  [Name in NumberOf<Kind>]: Shelf[Name]['shown'] extends null ? never : Name
}[NumberOf<Kind>]

/** The numbers that a list page has chips for: two of a kind, which is what fits a phone. */
export const CHIPS = {
  lesson: ['views', 'likes'],
  course: ['comments', 'likes'],
} as const satisfies { readonly [Kind in ItemKind]: readonly BandOf<Kind>[] }
export type ChipOf<Kind extends ItemKind> = (typeof CHIPS)[Kind][number]

const SHELF: Readonly<Record<NumberName, ShelfNumber>> = NUMBERS
const NAMES = Object.keys(NUMBERS) as NumberName[]

/** The numbers of a kind that have what `has` asks for, in the order of addresses. */
/* @__NO_SIDE_EFFECTS__ */
function namesWith(kind: ItemKind, has: (number: ShelfNumber) => boolean): NumberName[] {
  return NAMES.filter((name) => SHELF[name].kinds.includes(kind) && has(SHELF[name]))
}

const byPlace = (one: NumberName, other: NumberName) => NUMBERS[one].place - NUMBERS[other].place

/** A kind's numbers as its cards show them, one after the other. */
/* @__NO_SIDE_EFFECTS__ */
export function numbersOf<Kind extends ItemKind>(kind: Kind): NumberOf<Kind>[] {
  return namesWith(kind, () => true).sort(byPlace) as NumberOf<Kind>[]
}

/** Those of them that stand among its figures. */
/* @__NO_SIDE_EFFECTS__ */
export function figuresOf<Kind extends ItemKind>(kind: Kind): FigureOf<Kind>[] {
  return namesWith(kind, ({ shown }) => shown !== null).sort(byPlace) as FigureOf<Kind>[]
}

/** Those of them that stand in details too. */
/* @__NO_SIDE_EFFECTS__ */
export function detailsOf<Kind extends ItemKind>(kind: Kind): DetailOf<Kind>[] {
  return namesWith(kind, ({ inDetails }) => inDetails).sort(byPlace) as DetailOf<Kind>[]
}

/** The numbers that a kind's lists can be narrowed by, in the order of addresses. */
/* @__NO_SIDE_EFFECTS__ */
export function bandsOf<Kind extends ItemKind>(kind: Kind): BandOf<Kind>[] {
  return namesWith(kind, ({ inBands }) => inBands) as BandOf<Kind>[]
}

/** Every number that lists of one kind or the other can be narrowed by. */
export const BAND_NAMES = NAMES.filter((name): name is BandOf => SHELF[name].inBands)

/** The numbers that a kind's lists can be sorted by, as the menu has them. */
/* @__NO_SIDE_EFFECTS__ */
export function sortsOf<Kind extends ItemKind>(kind: Kind): SortOf<Kind>[] {
  return namesWith(kind, ({ sorted }) => sorted !== null).sort(byPlace) as SortOf<Kind>[]
}
