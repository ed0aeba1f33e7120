/** Captions of a lesson's video, and offers of captions by people who unlocked it. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Id, Instant, text } from '#contract/fields.ts'
import { CaptionLanguage } from '#contract/items.ts'
import { CAPTION_ANSWER, CAPTION_BYTES } from '#contract/caption-limits.ts'
import { message } from '#contract/message.ts'
import { ProfileCard } from '#contract/profile-card.ts'

/** A line that is spoken between two positions of the video, in seconds. The text is plain. */
export const Cue = z.object({ from: z.number(), to: z.number(), text: z.string() })
export type Cue = z.infer<typeof Cue>

export const Captions = z.object({ language: CaptionLanguage, cues: z.array(Cue) })
export type Captions = z.infer<typeof Captions>

/** The number of stored lines. */
const Stored = z.object({ language: CaptionLanguage, cues: z.number() })

/** The contents of a .vtt or .srt file, which the server parses. */
const CaptionFile = z.string({ error: 'captionsEmpty' }).check(
  z.refine((file) => file.length <= CAPTION_BYTES, {
    error: () => message('captionsTooLarge', { megabytes: CAPTION_BYTES / 1_000_000 }),
  }),
)

/** An author may give a reason, or thanks. */
const Answer = z.optional(text(CAPTION_ANSWER, 'captionAnswerMs'))

const OfferState = z.enum(['open', 'accepted', 'declined'])

export const CaptionOffer = z.object({
  id: z.number(),
  language: CaptionLanguage,
  /** Empty after a decision, and for the person who made the offer. */
  cues: z.array(Cue),
  state: OfferState,
  by: ProfileCard,
  date: Instant,
  /** The author's words. */
  answer: z.nullable(z.string()),
  /** KB Points that it was paid. */
  amount: z.number(),
})
export type CaptionOffer = z.infer<typeof CaptionOffer>

const OfLesson = z.object({ lessonId: Id })
const Decision = z.object({ id: Id, answer: Answer })

export const captions = endpoints({
  ofLesson: {
    methods: ['GET'],
    path: '/caption/{lessonId}',
    access: 'user',
    scope: 'read',
    validated: true,
    input: OfLesson,
    answer: z.array(Captions),
    summary: 'The captions of a lesson that is open to the caller',
  },
  put: {
    methods: ['PUT'],
    path: '/caption/{lessonId}/{language}',
    access: 'user',
    scope: 'write',
    bodyBytes: 2 * CAPTION_BYTES,
    input: z.object({ lessonId: Id, language: CaptionLanguage, text: CaptionFile }),
    answer: Stored,
    summary: "Store the captions of a lesson in a language, from a file's WebVTT or SRT",
  },
  remove: {
    methods: ['DELETE'],
    path: '/caption/{lessonId}/{language}',
    access: 'user',
    scope: 'write',
    input: z.object({ lessonId: Id, language: CaptionLanguage }),
    answer: null,
    summary: 'Delete the captions of a lesson in a language',
  },
  offers: {
    methods: ['GET'],
    path: '/caption/{lessonId}/offers',
    access: 'user',
    scope: 'read',
    input: OfLesson,
    answer: z.array(CaptionOffer),
    summary:
      "The open offers of captions for the caller's own lesson; for others, their own offers",
  },
  offer: {
    methods: ['POST'],
    path: '/caption/{lessonId}/offer',
    access: 'user',
    scope: 'write',
    bodyBytes: 2 * CAPTION_BYTES,
    input: z.object({ lessonId: Id, language: CaptionLanguage, text: CaptionFile }),
    answer: z.object({ id: z.number(), cues: z.number() }),
    summary:
      'Offer captions or a correction to the author of an unlocked lesson; replaces an open offer',
  },
  accept: {
    methods: ['POST'],
    path: '/caption/offer/{id}/accept',
    access: 'user',
    scope: 'write',
    input: Decision,
    answer: z.object({ amount: z.number() }),
    summary: 'Accept offered captions, which replace the present ones; says what was paid for them',
  },
  decline: {
    methods: ['POST'],
    path: '/caption/offer/{id}/decline',
    access: 'user',
    scope: 'write',
    input: Decision,
    answer: null,
    summary: 'Decline offered captions',
  },
})
