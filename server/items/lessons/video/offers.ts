/**
 * Asks an oEmbed endpoint for a video's title and picture, and whether it can be played. It learns the video's id,
 * but nothing about the person; errors lead to no offer.
 */
import { Title } from '#contract/lesson-forms.ts'
import { TITLE, VIDEO_OFFERS_A_MINUTE } from '#contract/limits.ts'
import { lengthOf, normalizeLine } from '#contract/measure.ts'
import type { VideoOffer } from '#contract/video-offers.ts'
import { ASK_MS, askAboutVideo } from '#server/items/lessons/video/oembed.ts'
import { readBounded } from '#server/people/accounts/oidc/bounded-answer.ts'
import { makeVideoCover } from '#server/platform/files/pictures.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createRate } from '#server/kernel/limits/rates.ts'

const NOTHING: VideoOffer = { title: null, picture: null, playable: null }
const PICTURE_BYTES = 2 * 1024 * 1024
/** Where YouTube's pictures are. */
const PICTURE_ORIGIN = 'https://i.ytimg.com'
/** Maximum number of characters in the cached offers of a process. */
const MOST_REMEMBERED = 8 * 1024 * 1024
const FRESH_MS = 10 * 60_000

/**
 * Returns a function that reads the offer for a video's id.
 * @param asker the id of the person, for limits
 */
export function createVideoOffers({ config, clock }: Pick<Core, 'config' | 'clock'>) {
  const { VIDEO_CHECK_URL } = config
  const ofPerson = createRate(VIDEO_OFFERS_A_MINUTE.person, config)
  const ofAll = createRate(VIDEO_OFFERS_A_MINUTE.all, config)
  const offers = new BoundedMap<string, { readonly offer: VideoOffer; readonly at: number }>({
    most: MOST_REMEMBERED,
    sizeOf: ({ offer }) => offer.picture?.length ?? 0,
  })
  /** @throws Refusal 429 when the person asks too often */
  return async (id: string, asker: string): Promise<VideoOffer> => {
    ofPerson.count(asker)
    if (VIDEO_CHECK_URL === '') return NOTHING
    const known = offers.get(id)
    const now = clock.now().getTime()
    if (known !== undefined && now - known.at < FRESH_MS) return known.offer
    if (ofAll.secondsToWait('') > 0) return NOTHING
    const offer = await ask(VIDEO_CHECK_URL, id, asker)
    if (offer.picture !== null) offers.set(id, { offer, at: now })
    return offer
  }
}

async function ask(endpoint: string, id: string, asker: string): Promise<VideoOffer> {
  const signal = AbortSignal.timeout(ASK_MS)
  const answer = await askAboutVideo(endpoint, id, signal)
  if (answer.state === 'unknown') return NOTHING
  if (answer.state === 'gone') return { ...NOTHING, playable: false }
  const { title, picture: link } = answer
  const mayFetch =
    link !== undefined &&
    URL.canParse(link) &&
    [PICTURE_ORIGIN, new URL(endpoint).origin].includes(new URL(link).origin)
  return {
    title: title === undefined ? null : fitTitle(title),
    picture: mayFetch ? await fetchPicture(link, signal, asker).catch(() => null) : null,
    playable: true,
  }
}

async function fetchPicture(
  link: string,
  signal: AbortSignal,
  asker: string,
): Promise<string | null> {
  const answer = await readBounded(link, { signal, most: PICTURE_BYTES })
  if (answer.status !== 200) return null
  const cover = await makeVideoCover(await answer.blob(), asker)
  return Buffer.from(cover).toString('base64')
}

const WHOLE_WORDS = new RegExp(`^.{0,${TITLE.max}}(?![\\p{L}\\p{N}\\p{M}\\p{Cf}'’])`, 'u')
/** An unclosed bracket, or signs at the end that led to words that were cut off. */
const LOOSE_END = /(?:\s*[([][^)\]]*|[\s\p{Pd}\p{Ps}\p{Pi},;:|/&"'·•]+)$/u

/** Shortens a title at a word to a lesson's maximum; null if too little is left. */
export function fitTitle(title: string): string | null {
  const line = normalizeLine(title).replaceAll(/\s+/gu, ' ')
  if (lengthOf(line) <= TITLE.max) return Title.safeParse(line).data ?? null
  const words = WHOLE_WORDS.exec(line)?.[0].replace(LOOSE_END, '')
  return Title.safeParse(words).data ?? null
}
