/** The fields that authors send for a lesson. */
import * as z from 'zod/mini'
import { QuestionsField } from '#contract/questions.ts'
import { emptyAsAbsent, DraftId, Id, Picture, line, text } from '#contract/fields.ts'
import {
  ARTICLE,
  ARTICLE_HTML_BYTES,
  DESCRIPTION,
  OPENING,
  REASON,
  RESOURCE_LINK_LENGTH,
  TITLE,
  VIDEO_LINK_LENGTH,
} from '#contract/limits.ts'
import { fits } from '#contract/measure.ts'
import { message } from '#contract/message.ts'
import { parseTags } from '#contract/tags.ts'
import { toEmbedUrl } from '#contract/video.ts'

export const Title = line(TITLE, 'titleValMs')
export const Description = text(DESCRIPTION, 'descriptionValMs')
/** Plain text. */
export const OpeningText = text(OPENING, 'openingValMs')
/** Null if the text is empty. */
const Opening = z.pipe(
  OpeningText,
  z.transform((opening) => (fits(opening, { min: 1, max: OPENING.max }) ? opening : null)),
)
/** Accepts any recognised link or embed code and rewrites it to the embed form. */
export const Video = z.string({ error: 'provideYoutube' }).check(
  z.maxLength(VIDEO_LINK_LENGTH, { error: 'provideYoutube' }),
  z.overwrite((link) => toEmbedUrl(link) ?? link),
  z.refine((link) => toEmbedUrl(link) !== null, { error: 'provideYoutube' }),
)
/** Accepts repeated fields or one comma-separated value. Removes white space and empty tags. */
const Tags = z.pipe(
  z.union([z.string(), z.array(z.string())], { error: 'provideTags' }),
  z.transform((given, context) => {
    const tags = parseTags(Array.isArray(given) ? given.join(',') : given)
    if (tags.problem !== null)
      context.issues.push({ code: 'custom', message: tags.problem, input: given })
    return tags.list
  }),
)
/** HTML. The server measures the length of its text after cleaning. */
export const Article = z
  .string({ error: message('articleValMs', { ...ARTICLE }) })
  .check(z.maxLength(ARTICLE_HTML_BYTES, { error: 'articleTooBig' }))
/** Empty, an http(s) link, or the address of the author's own upload. */
export const Resources = z.string().check(
  z.trim(),
  z.maxLength(RESOURCE_LINK_LENGTH, { error: 'resourceLinkMs' }),
  z.refine((link) => link === '' || link.startsWith('/files/') || isWebLink(link), {
    error: 'resourceLinkMs',
  }),
)

function isWebLink(link: string): boolean {
  return /^https?:\/\/[^\s/?#@]+\.[^\s/?#@]+(?:[/?#]\S*)?$/iu.test(link)
}

/** Replaces the picture with the cover drawn from the lesson's id and title. */
const DrawnCover = z.optional(z.enum(['drawn'], { error: 'invalidChoice' }))

export const LessonDraft = z
  .object({
    title: Title,
    description: Description,
    opening: z._default(Opening, null),
    video: Video,
    image: z.optional(Picture),
    cover: DrawnCover,
    tags: Tags,
    resources: z._default(Resources, ''),
    article: Article,
    /** The questions of the self-check, as JSON. */
    checks: z.optional(QuestionsField),
    draftId: DraftId,
  })
  .check(
    z.refine(({ image, cover }) => image !== undefined || cover === 'drawn', {
      path: ['image'],
      error: 'pictureRequired',
      // Runs even if other fields are invalid, so that all errors are reported at once.
      when: () => true,
    }),
  )
export type LessonDraft = z.output<typeof LessonDraft>

/** Why an administrator changes somebody's item. The owner can read it. */
export const AdministratorsReason = emptyAsAbsent(
  text(REASON, 'reasonValMs'),
  message('reasonValMs', { min: REASON.min, max: REASON.max }),
)
export const LessonEdit = z.object({
  id: Id,
  title: z.optional(Title),
  description: z.optional(Description),
  /** Absent keeps the current one; empty removes it. */
  opening: z.optional(Opening),
  video: z.optional(Video),
  image: z.optional(Picture),
  cover: DrawnCover,
  tags: z.optional(Tags),
  resources: z.optional(Resources),
  article: z.optional(Article),
  /** As JSON. Absent keeps the current questions; an empty list removes them. */
  checks: z.optional(QuestionsField),
  /** The version that was edited. An outdated version is refused with 409. */
  version: emptyAsAbsent(Id, 'invalidId'),
  reason: AdministratorsReason,
})
export type LessonEdit = z.output<typeof LessonEdit>
