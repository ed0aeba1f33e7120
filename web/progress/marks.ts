/**
 * How far somebody is in lessons: what this browser has reported, and what the server answered. Progress of guests, and
 * what was not sent yet (`sending.ts`), is stored in this browser only.
 */
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
export type Saying = Place | { readonly done: boolean } | { readonly opened: true }

export const TOLD = 'progress'
export const NONE: AllTold = {}
/** Whether what the browser kept under `TOLD` is what this version wrote; other forms are as good as nothing. */
export const isTold = (stored: unknown): stored is AllTold =>
  isRecord(stored) && Object.values(stored).every(isRecord)
/** Lessons that are remembered; the one of which nothing was told for longest goes first. */
const MOST = 200
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
export const NOTHING: AllKnown = {}
let known = NOTHING
const listeners = new Set<() => void>()
export const readKnown = (): AllKnown => known

/** Calls the listener when what the server knows changes. Returns a function that ends it. */
export function subscribeKnown(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For sending.ts: changes what the server is known to know. */
export function changeKnown(step: (old: AllKnown) => AllKnown): void {
  known = step(known)
  for (const listener of listeners) listener()
}
