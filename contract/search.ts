/** Suggestions while typing, and the search for all that there is. */
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
  /** Only these; everything without it. */
  kind: z.optional(z.enum(['lesson', 'course', 'person', 'tag'], { error: 'invalidChoice' })),
  /** Items with this tag alone. */
  tag: z.optional(Tag),
  free: Free,
  language: InLanguage,
  /** Leaves out the items of this kind whose titles contain the words: a list that is searched by title has them. */
  besides: z.optional(z.enum(['lesson', 'course'], { error: 'invalidChoice' })),
  page: z.optional(Page),
})
export type SearchQuery = z.output<typeof SearchQuery>

/** Why an item was found, and where the words stand in that text. */
const found = {
  why: z.enum(['title', 'tag', 'description', 'author', 'opening']),
  marked: z.object({
    text: z.string(),
    /** Pairs of start and end, in UTF-16 units. */
    places: z.array(z.array(z.number()).check(z.length(2))),
  }),
}

/** Enough of a card to choose by while typing. */
export const ItemSuggestion = z.object({
  id: z.number(),
  kind: ItemKind,
  title: z.string(),
  thumbnail: ImagePath,
  owner: z.string(),
  price: z.number(),
  free: z.boolean(),
  /** Only for the signed-in. */
  bought: z.optional(z.boolean()),
  /** Absent where its title contains what is typed. */
  found: z.optional(
    z.object({
      ...found,
      /** What was probably meant, where it was found by another spelling. */
      spelling: z.nullable(z.string()),
    }),
  ),
})
export type ItemSuggestion = z.infer<typeof ItemSuggestion>

const FoundTag = z.object({ tag: z.string(), items: z.number() })

/** An item, and where both kinds are asked for also a tag, or for the signed-in a person. */
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
export type Marked = LessonHit['marked']

/** How many there are: exact up to some hundreds, of which the best are found. */
const totals = { lessons: z.number(), courses: z.number(), tags: z.number(), people: z.number() }
export const SearchAnswer = z.object({
  lessons: z.array(LessonHit),
  courses: z.array(CourseHit),
  tags: z.array(FoundTag),
  /** For the signed-in. */
  people: z.optional(z.array(ProfileCard)),
  totals: z.object(totals),
  /** Other spellings of words that nothing has. Items found with them are close matches. */
  spellings: z.array(z.string()),
})
export type SearchAnswer = z.infer<typeof SearchAnswer>

/** What has a tag. */
export const TaggedAnswer = z.object({
  lessons: z.array(LessonCard),
  courses: z.array(CourseCard),
  /** Of lessons to `OF_TAG_COUNTED` + 1, which stands for more; of courses those that hold the newest of these lessons. */
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
