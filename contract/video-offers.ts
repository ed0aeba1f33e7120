/** What a linked video says of itself, offered to the author of a lesson. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Video } from '#contract/lesson-forms.ts'

export const VideoOffer = z.object({
  /** No longer than the title of a lesson. Null where none is known. */
  title: z.nullable(z.string()),
  /** A JPEG in base64. Null where none is known. */
  picture: z.nullable(z.string()),
  /** False if the video is gone or can't be embedded. Null where that isn't known. */
  playable: z.nullable(z.boolean()),
})
export type VideoOffer = z.infer<typeof VideoOffer>

export const videos = endpoints({
  offer: {
    methods: ['GET'],
    path: '/lesson/video',
    access: 'user',
    scope: 'read',
    input: z.object({ video: Video }),
    answer: VideoOffer,
    summary:
      "The title and picture of a video, to be offered as a lesson's own; null where unknown",
  },
})
