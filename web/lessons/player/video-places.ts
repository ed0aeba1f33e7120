/** How far somebody watched which video, on the lesson's page and in courses alike. Stored in this browser. */
import { useMemo } from 'react'
import { useStored } from '#web/core/storage/stored.ts'
import { isRecord } from '#web/core/shape.ts'
import type { PlayerPlace } from '#web/lessons/player/player-place.ts'

interface Watched extends PlayerPlace {
  readonly lesson: number
}
const NONE: readonly Watched[] = []
const arePlaces = (stored: unknown): stored is readonly Watched[] =>
  Array.isArray(stored) &&
  stored.every(
    (place) =>
      isRecord(place) && ['lesson', 'at', 'of'].every((name) => typeof place[name] === 'number'),
  )
/** The last ones that were watched. */
const MOST = 200

export interface VideoPlaces {
  readonly placeIn: (lesson: number) => PlayerPlace | undefined
  readonly savePlace: (lesson: number, place: PlayerPlace) => void
  /** At the end one starts again. */
  readonly forgetPlace: (lesson: number) => void
}

/**
 * Reads and stores how far each video was watched, for the person in this browser. Only the newest places are stored;
 * the oldest go first.
 */
export function useVideoPlaces(): VideoPlaces {
  const { value, change } = useStored('places', arePlaces, NONE)
  return useMemo(
    () => ({
      placeIn: (lesson) => value.find((place) => place.lesson === lesson),
      savePlace: (lesson, { at, of }) =>
        change((old) => [{ lesson, at, of }, ...without(old, lesson)].slice(0, MOST)),
      forgetPlace: (lesson) => change((old) => without(old, lesson)),
    }),
    [value, change],
  )
}

const without = (places: typeof NONE, lesson: number) =>
  places.filter((place) => place.lesson !== lesson)
