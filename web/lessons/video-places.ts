/** How far somebody watched which video, on the lesson's page and in courses alike. Kept in this browser. */
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useKept } from '#web/core/kept.ts'
import type { PlayerPlace } from '#web/lessons/player-place.ts'

const Places = z.array(z.object({ lesson: z.number(), at: z.number(), of: z.number() }))
const NONE: z.infer<typeof Places> = []
/** The last ones that were watched. */
const MOST = 200

export interface VideoPlaces {
  readonly placeIn: (lesson: number) => PlayerPlace | undefined
  readonly keepPlace: (lesson: number, place: PlayerPlace) => void
  /** At the end one starts anew. */
  readonly forgetPlace: (lesson: number) => void
}

export function useVideoPlaces(): VideoPlaces {
  const { value, change } = useKept('places', Places, NONE)
  return useMemo(
    () => ({
      placeIn: (lesson) => value.find((place) => place.lesson === lesson),
      keepPlace: (lesson, { at, of }) =>
        change((old) => [{ lesson, at, of }, ...without(old, lesson)].slice(0, MOST)),
      forgetPlace: (lesson) => change((old) => without(old, lesson)),
    }),
    [value, change],
  )
}

const without = (places: typeof NONE, lesson: number) =>
  places.filter((place) => place.lesson !== lesson)
