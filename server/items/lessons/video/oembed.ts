/** Asks the oEmbed endpoint about a video, by the video's id alone. */
import * as z from 'zod'
import { YOUTUBE_OEMBED, type Config } from '#server/kernel/config.ts'
import { readBounded } from '#server/people/accounts/oidc/bounded-answer.ts'

/** Timeout in ms. */
export const ASK_MS = 2000
const ANSWER_BYTES = 64 * 1024
/** Statuses for videos that are deleted, private, or not to be embedded. */
const GONE: readonly number[] = [400, 401, 403, 404]

const Text = z.string().min(1).optional().catch(undefined)
const Answer = z.object({ title: Text, thumbnail_url: Text, html: Text })

/** `unknown` means that the answer says nothing about the video. */
export type VideoAnswer =
  | {
      readonly state: 'playable'
      readonly title: string | undefined
      readonly picture: string | undefined
    }
  | { readonly state: 'gone' }
  | { readonly state: 'unknown' }

/** Never throws: errors and late answers are unknown. */
export async function askAboutVideo(
  endpoint: string,
  id: string,
  signal: AbortSignal,
): Promise<VideoAnswer> {
  const address = new URL(endpoint)
  address.searchParams.set('url', `https://www.youtube.com/watch?v=${id}`)
  address.searchParams.set('format', 'json')
  try {
    const answer = await readBounded(address.href, { signal, most: ANSWER_BYTES })
    if (GONE.includes(answer.status)) return { state: 'gone' }
    if (answer.status !== 200) return { state: 'unknown' }
    const { title, thumbnail_url: picture, html } = Answer.parse(await answer.json())
    if (title === undefined && html === undefined) return { state: 'unknown' }
    return { state: 'playable', title, picture }
  } catch {
    return { state: 'unknown' }
  }
}

/**
 * Returns false where nothing is asked by itself: without an endpoint, and on a site without a public address, such
 * as a demo, unless somebody chose another endpoint.
 */
export function checksVideos({
  VIDEO_CHECK_URL,
  PUBLIC_URL,
}: Pick<Config, 'VIDEO_CHECK_URL' | 'PUBLIC_URL'>): boolean {
  if (VIDEO_CHECK_URL === '') return false
  return PUBLIC_URL !== undefined || VIDEO_CHECK_URL !== YOUTUBE_OEMBED
}
