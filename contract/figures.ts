/** The figures of the author's desk: what happened to one's lessons and courses, day by day. They name nobody. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Page } from '#contract/fields.ts'
import { ItemKind } from '#contract/points.ts'

/** Readings of the author's desk per minute, by one person and by all. */
export const FIGURES_A_MINUTE = { person: 60, all: 1200 } as const

/** Days that the desk looks back, up to the last counted one. */
export const RANGES = ['7', '30', '90', '365'] as const
export type FigureRange = (typeof RANGES)[number]
const DEFAULT_RANGE: FigureRange = '30'

/** Fewer viewers, attempts or searchers than this are not shown, because they could be guessed. */
export const FEWEST_COUNTED = 5
/** Parts of a video in which its viewers are counted. */
export const CURVE_STEPS = 10

const sums = {
  /** Views of lessons, on days since `viewsSince`. */
  views: z.number(),
  unlocks: z.number(),
  /** Unlocks of lessons since `viewsSince`. Divided by `views`, they are the conversion. */
  converted: z.number(),
  /** Lessons that became done. */
  done: z.number(),
  likes: z.number(),
  comments: z.number(),
  ratings: z.number(),
  /** Sum of the stars of these ratings. */
  stars: z.number(),
  /** Points that the author earned with it, and that were taken back. */
  earned: z.number(),
  returned: z.number(),
}
export const Sums = z.object(sums)
export type Sums = z.infer<typeof Sums>
export type SumName = keyof Sums
export const SUMS = Object.keys(sums) as readonly SumName[]

export const FigureDay = z.extend(Sums, {
  /** UTC, `YYYY-MM-DD`. */
  day: z.string(),
})
export type FigureDay = z.infer<typeof FigureDay>

export const Curve = z.object({
  viewers: z.number(),
  /** Median length of the video in seconds. */
  length: z.number(),
  /** Viewers who reached each tenth of the video. */
  reached: z.array(z.number()),
})
export type Curve = z.infer<typeof Curve>

const named = { kind: ItemKind, id: z.number(), title: z.string() }

const ListedItem = z.extend(Sums, {
  ...named,
  /** Part of the viewers who reached the end. Null if fewer than `FEWEST_COUNTED` watched. */
  watched: z.nullable(z.number()),
  /** Part of the attempts at the self-check that were passed. Null if there were fewer than `FEWEST_COUNTED`. */
  passed: z.nullable(z.number()),
})
export type ListedItem = z.infer<typeof ListedItem>

/** Where a lesson loses most of its viewers. */
const Stop = z.object({
  id: z.number(),
  title: z.string(),
  /** Viewers who stopped in this part of the video, of all, and its bounds in seconds. */
  stopped: z.number(),
  viewers: z.number(),
  from: z.number(),
  to: z.number(),
})
export type Stop = z.infer<typeof Stop>

const period = {
  days: z.enum(RANGES),
  /** The first and the last day that are counted here. Null before the first count. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** Views by day are known since this day. Null before the first one. */
  viewsSince: z.nullable(z.string()),
  total: Sums,
  /** The same number of days before. Null if they are not all counted. */
  before: z.nullable(Sums),
  /** Days on which something happened, newest last. */
  rows: z.array(FigureDay),
}

export const Figures = z.object({
  ...period,
  /** A page of the items, the most unlocked first, and the number of all. */
  items: z.array(ListedItem),
  count: z.number(),
  page: z.number(),
  /** The most unlocked items, of those that were. */
  best: z.array(z.object({ ...named, unlocks: z.number() })),
  stops: z.array(Stop),
  /** Terms that people searched on the whole site without a result, with the number of people on that day. */
  missed: z.array(z.object({ term: z.string(), people: z.number() })),
})
export type Figures = z.infer<typeof Figures>

export const ItemFigures = z.object({
  ...period,
  ...named,
  /** All views since the publication. Null for courses. */
  allViews: z.nullable(z.number()),
  /** Null if fewer than `FEWEST_COUNTED` people watched. */
  curve: z.nullable(Curve),
  /** Null without questions, and after fewer than `FEWEST_COUNTED` attempts. */
  check: z.nullable(
    z.object({
      attempts: z.number(),
      passed: z.number(),
      questions: z.array(z.object({ text: z.string(), right: z.number() })),
    }),
  ),
})
export type ItemFigures = z.infer<typeof ItemFigures>

const Range = z._default(z.enum(RANGES, { error: 'invalidChoice' }), DEFAULT_RANGE)

export const FiguresQuery = z.object({ days: Range, page: z.optional(Page) })
export const ItemFiguresQuery = z.object({ days: Range })

/** A CSV file with a line for each item and day, or with the days of one item. */
export const figuresUrl = (days: FigureRange): string => `/files/figures/${days}.csv`

export const figures = endpoints({
  show: {
    methods: ['GET'],
    path: '/author/figures',
    access: 'user',
    scope: 'read',
    input: FiguresQuery,
    answer: Figures,
    summary: "What happened to the caller's lessons and courses in the last 7, 30, 90 or 365 days",
  },
  item: {
    methods: ['GET'],
    path: '/author/figures/{kind}/{id}',
    access: 'user',
    scope: 'read',
    input: z.extend(ItemFiguresQuery, { kind: ItemKind, id: Id }),
    answer: ItemFigures,
    summary: 'The same for one item, with how far its video is watched. For its owner',
  },
})
