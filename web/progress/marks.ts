/**
 * How far somebody is in lessons, as pages read and tell it. Of the signed-in the server knows it (sending.ts); what it
 * was not told yet, and all that guests do, stands in this browser.
 */
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useSession } from '#web/core/session.ts'
import { useStored } from '#web/core/storage/stored.ts'
import { isRecord } from '#web/core/shape.ts'

/** Seconds of a video. */
export interface Place {
  readonly at: number
  readonly of: number
}

/** What was told of a lesson, each with its time in milliseconds. */
export interface Told {
  readonly place?: Place & { readonly furthest: number; readonly time: number }
  readonly mark?: { readonly done: boolean; readonly time: number }
  readonly opened?: { readonly time: number }
}
/** By lesson. */
export type AllTold = Readonly<Record<string, Told>>

/** What the server knows of a lesson. */
export interface Known extends Place {
  readonly done: boolean
  readonly time: number
}

/** How far one is in a lesson. */
export interface Mark {
  /** Where its video goes on; undefined: at its beginning. */
  readonly place: Place | undefined
  readonly done: boolean
  /** When one was last at it. */
  readonly time: number
}

/** One thing that is told. */
type Saying = Place | { readonly done: boolean } | { readonly opened: true }

interface Marks {
  readonly of: (lesson: number) => Mark | undefined
  /** `now`: the server is told at once, not with the next place. */
  readonly tell: (lesson: number, said: Saying, now?: boolean) => void
}

export const TOLD = 'progress'
export const NONE: AllTold = {}
/** Whether what the browser kept under `TOLD` is what this version wrote; other forms are as good as nothing. */
export const isTold = (stored: unknown): stored is AllTold =>
  isRecord(stored) && Object.values(stored).every(isRecord)
/** Lessons that are remembered; the one of which nothing was told for longest goes first. */
const MOST = 200
/** The part of a video after which it counts as seen, as the server has it. */
const LAST_PART = 0.95

/** How far the person of this browser is in `lessons`. Nothing on the server and in the first paint. */
export function useMarks(lessons: readonly number[]): Marks {
  const person = useSession()?._id
  const { value: told, change } = useStored(TOLD, isTold, NONE)
  const known = useSyncExternalStore(subscribe, readKnown, readNothing)
  const asked = lessons.join()
  useEffect(() => {
    if (person === undefined || asked === '') return
    withSending(({ ask }) => void ask(asked.split(',').map(Number)))
  }, [person, asked])
  return useMemo(
    () => ({
      of: (lesson) => markOf(told[lesson], known[lesson]),
      tell: (lesson, said, now = false) => {
        change((old) => withSaid(old, lesson, said))
        if (person !== undefined) withSending(({ send }) => void send(now))
      },
    }),
    [person, told, known, change],
  )
}

type Sending = typeof import('#web/progress/sending.ts')
let sending: Sending | undefined

/** At once when it is loaded: even then an import takes a moment, which a page that is being closed does not have. */
function withSending(step: (sending: Sending) => void): void {
  if (sending !== undefined) return step(sending)
  void import('#web/progress/sending.ts').then((loaded) => step((sending = loaded)))
}

/** What was told is newer than what is known, or will be found not to be when it is sent. */
function markOf(told: Told | undefined, known: Known | undefined): Mark | undefined {
  if (told === undefined && known === undefined) return undefined
  const { place = known, mark, opened } = told ?? {}
  const isSeen = told?.place !== undefined && told.place.furthest >= told.place.of * LAST_PART
  return {
    // Who has seen the end begins anew.
    place:
      place !== undefined && place.at > 0 && place.at < place.of * LAST_PART ? place : undefined,
    done: mark?.done ?? (known?.done === true || isSeen),
    time: Math.max(...[told?.place, mark, opened, known].map((part) => part?.time ?? 0)),
  }
}

/** What was told with one thing more. */
export function withSaid(old: AllTold, lesson: number, said: Saying, time = Date.now()): AllTold {
  const before = old[lesson]
  const next: Told =
    'at' in said
      ? {
          ...before,
          place: { ...said, furthest: Math.max(said.at, before?.place?.furthest ?? 0), time },
        }
      : 'done' in said
        ? { ...before, mark: { done: said.done, time } }
        : { ...before, opened: { time } }
  const others = Object.entries(old).filter(([other]) => other !== String(lesson))
  const left = others.toSorted(([, one], [, other]) => timeOf(other) - timeOf(one))
  return Object.fromEntries([[String(lesson), next], ...left.slice(0, MOST - 1)])
}

const timeOf = ({ place, mark, opened }: Told) =>
  Math.max(place?.time ?? 0, mark?.time ?? 0, opened?.time ?? 0)

type AllKnown = Readonly<Record<string, Known>>
const NOTHING: AllKnown = {}
let known = NOTHING
const listeners = new Set<() => void>()
const readKnown = () => known
const readNothing = () => NOTHING

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For sending.ts: changes what the server is known to know. */
export function changeKnown(step: (old: AllKnown) => AllKnown): void {
  known = step(known)
  for (const listener of listeners) listener()
}
