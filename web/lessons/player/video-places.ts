/** How far somebody watched which video, on the lesson's page and in courses alike. Kept in this browser. */
import { useMemo } from 'react'
import { useKept } from '#web/core/storage/kept.ts'
import { isRecord } from '#web/core/shape.ts'
import type { PlayerPlace } from '#web/lessons/player/player-place.ts'

interface Watched extends PlayerPlace {
  readonly lesson: number
}
const NONE: readonly Watched[] = []
const arePlaces = (kept: unknown): kept is readonly Watched[] =>
  Array.isArray(kept) &&
  kept.every(
    (place) =>
      isRecord(place) && ['lesson', 'at', 'of'].every((name) => typeof place[name] === 'number'),
  )
/** The last ones that were watched. */
const MOST = 200

export interface VideoPlaces {
  readonly placeIn: (lesson: number) => PlayerPlace | undefined
  readonly keepPlace: (lesson: number, place: PlayerPlace) => void
  /** At the end one starts anew. */
  readonly forgetPlace: (lesson: number) => void
}

export function useVideoPlaces(): VideoPlaces {
  const { value, change } = useKept('places', arePlaces, NONE)
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
