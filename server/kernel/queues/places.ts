/** Slots that are held for as long as something like a download runs. Nobody gets more than a share. */
import { Refusal, unavailable } from '#server/kernel/errors.ts'

export interface Places {
  /**
   * Takes a slot for a person or a network. The returned function frees it and may be called again.
   * @throws Refusal 429 when the asker has all of their slots, 503 when all slots are taken
   */
  take(asker: string): () => void
}

const RETRY_SECONDS = 5

/** `each` is the number of slots of one asker, `most` that of all together. */
export function createPlaces({ each, most = Infinity }: { each: number; most?: number }): Places {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take: (asker) => {
      const own = taken.get(asker) ?? 0
      if (own >= each) throw new Refusal(429, 'tooManyRequests', { retryAfter: RETRY_SECONDS })
      if (all >= most) throw unavailable(RETRY_SECONDS)
      taken.set(asker, own + 1)
      all += 1
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        all -= 1
        const left = (taken.get(asker) ?? 1) - 1
        if (left > 0) taken.set(asker, left)
        else taken.delete(asker)
      }
    },
  }
}
