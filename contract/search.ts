import * as z from 'zod/mini'
import { CourseCard } from '#contract/courses.ts'
import { endpoints } from '#contract/endpoint.ts'
import { ImagePath, Page } from '#contract/fields.ts'
import { Free, InLanguage, Search } from '#contract/items.ts'
import { LessonCard } from '#contract/lessons.ts'
import { TAG_LENGTH } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { ItemKind } from '#contract/points.ts'
import { ProfileCard } from '#contract/profile-card.ts'

const Tag = z
  .string()
  .check(z.maxLength(TAG_LENGTH, { error: () => message('tagTooLong', { max: TAG_LENGTH }) }))

export const SearchQuery = z.object({
  q: Search,
  /** Limits the search to one kind. */
  kind: z.optional(z.enum(['lesson', 'course', 'person', 'tag'], { error: 'invalidChoice' })),
  /** Only items with this tag. */
  tag: z.optional(Tag),
  free: Free,
  language: InLanguage,
  /**
   * Omits items of this kind whose titles match, because a list that is searched by title already contains them.
   */
  besides: z.optional(z.enum(['lesson', 'course'], { error: 'invalidChoice' })),
  page: z.optional(Page),
})
export type SearchQuery = z.output<typeof SearchQuery>

export const Marked = z.object({
  text: z.string(),
  /** Pairs of start and end in UTF-16 units. */
  places: z.array(z.array(z.number()).check(z.length(2))),
})
export type Marked = z.infer<typeof Marked>

/**
 * Why an item was found, and the matches in that text. `spoken` is only for callers who may see the lesson, and has no
 * text.
 */
const found = {
  why: z.enum(['title', 'tag', 'description', 'author', 'opening', 'spoken']),
  marked: Marked,
}

/** The part of a card that suggestions show. */
export const ItemSuggestion = z.object({
  id: z.number(),
  kind: ItemKind,
  title: z.string(),
  thumbnail: ImagePath,
  owner: z.string(),
  price: z.number(),
  free: z.boolean(),
  /** Only for signed-in callers. */
  bought: z.optional(z.boolean()),
  /** Absent if the title matches. */
  found: z.optional(
    z.object({
      ...found,
      /** A corrected spelling, if only that had results. */
      spelling: z.nullable(z.string()),
    }),
  ),
})
export type ItemSuggestion = z.infer<typeof ItemSuggestion>

const FoundTag = z.object({ tag: z.string(), items: z.number() })

/** An item, a tag if both kinds are requested, or a person for signed-in callers. */
export const Suggestion = z.discriminatedUnion('kind', [
  ItemSuggestion,
  z.object({ kind: z.literal('tag'), ...FoundTag.shape }),
  z.object({ kind: z.literal('person'), ...ProfileCard.shape }),
])
export type Suggestion = z.infer<typeof Suggestion>

const LessonHit = z.object({ ...LessonCard.shape, ...found })
const CourseHit = z.object({ ...CourseCard.shape, ...found })
export type LessonHit = z.infer<typeof LessonHit>
export type CourseHit = z.infer<typeof CourseHit>
export type Why = LessonHit['why']

/** Exact up to some hundreds, from which the best matches are chosen. */
const totals = { lessons: z.number(), courses: z.number(), tags: z.number(), people: z.number() }
export const SearchAnswer = z.object({
  lessons: z.array(LessonHit),
  courses: z.array(CourseHit),
  tags: z.array(FoundTag),
  /** For signed-in callers. */
  people: z.optional(z.array(ProfileCard)),
  totals: z.object(totals),
  /** Alternative spellings of words without results. Items found with them are close matches. */
  spellings: z.array(z.string()),
})
export type SearchAnswer = z.infer<typeof SearchAnswer>

export const TaggedAnswer = z.object({
  lessons: z.array(LessonCard),
  courses: z.array(CourseCard),
  /**
   * Lessons are counted up to `OF_TAG_COUNTED` + 1, which means more. Courses are those that contain the newest of
   * these lessons.
   */
  totals: z.object({ lessons: z.number(), courses: z.number() }),
})
export type TaggedAnswer = z.infer<typeof TaggedAnswer>

export const search = endpoints({
  suggest: {
    methods: ['GET'],
    path: '/search/suggest',
    access: 'anybody',
    scope: 'read',
    input: z.object({
      kind: z._default(z.enum(['lesson', 'course', 'all'], { error: 'invalidChoice' }), 'lesson'),
      q: Search,
    }),
    answer: z.array(Suggestion),
    summary: 'Up to 8 that the search by words finds, the last word being a beginning',
  },
  tagged: {
    methods: ['GET'],
    path: '/tag/{tag}',
    access: 'anybody',
    scope: 'read',
    input: z.object({ tag: Tag, page: z.optional(Page) }),
    answer: TaggedAnswer,
    summary:
      'A page of the lessons with a tag, and of the courses that hold them, the newest first',
  },
  find: {
    methods: ['GET'],
    path: '/search',
    access: 'anybody',
    scope: 'read',
    input: SearchQuery,
    answer: SearchAnswer,
    summary: 'Lessons, courses, tags and people by words, a typo or two forgiven',
  },
})
