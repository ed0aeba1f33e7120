import { embedUrl, videoId } from '#contract/video.ts'
import { videos } from '#contract/video-offers.ts'
import { api } from '#web/core/api.ts'
import { useDebouncedCheck } from '#web/items/shared/form/reward-check.ts'

interface Offer {
  readonly id: string
  readonly title: string | null
  readonly picture: File | undefined
  /** True if the video can't be embedded. */
  readonly isGone: boolean
}

/** Returns what is known of the linked video; null while nothing is. */
export function useVideoOffer(link: string, isSending: boolean): Offer | null {
  const id = videoId(link)
  const known = useDebouncedCheck<Offer>(id ?? '', isSending, async (signal) => {
    const video = id ?? ''
    const asked = { video: embedUrl({ id: video, start: null }) }
    const { title, picture, playable } = await api(videos.offer, asked, { signal, unasked: true })
    return {
      id: video,
      title,
      picture: picture === null ? undefined : toFile(picture),
      isGone: playable === false,
    }
  })
  return known?.id === id ? known : null
}

function toFile(base64: string): File {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new File([bytes], 'video.jpg', { type: 'image/jpeg' })
}
