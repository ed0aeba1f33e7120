/**
 * A person's progress in lessons: what this browser has recorded, and what the server has answered. The progress of
 * guests is stored only in this browser.
 */
import { isRecord } from '#web/core/shape.ts'

/** A position in a video and its length, in seconds. */
export interface Place {
  readonly at: number
  readonly of: number
}

/** What this browser has recorded for a lesson. `time` is in milliseconds since 1970. */
export interface LocalMark {
  readonly place?: Place & { readonly furthest: number; readonly time: number }
  readonly mark?: { readonly done: boolean; readonly time: number }
  readonly opened?: { readonly time: number }
}
/** By lesson id. */
export type LocalMarks = Readonly<Record<string, LocalMark>>

export interface ServerMark extends Place {
  readonly done: boolean
  readonly time: number
}

/** The progress shown for a lesson. */
export interface Mark {
  /** Where the video resumes. Undefined for the beginning. */
  readonly place: Place | undefined
  readonly done: boolean
  /** The last activity, in milliseconds since 1970. */
  readonly time: number
}

export type MarkUpdate = Place | { readonly done: boolean } | { readonly opened: true }

export const LOCAL_KEY = 'progress'
export const NONE: LocalMarks = {}
/** Other formats of stored data count as empty. */
export const isLocalMarks = (stored: unknown): stored is LocalMarks =>
  isRecord(stored) && Object.values(stored).every(isRecord)
/** Maximum number of lessons. The one with the oldest update is dropped first. */
const MOST = 200
export function withUpdate(
  old: LocalMarks,
  lesson: number,
  update: MarkUpdate,
  time = Date.now(),
): LocalMarks {
  const before = old[lesson]
  const next: LocalMark =
    'at' in update
      ? {
          ...before,
          place: { ...update, furthest: Math.max(update.at, before?.place?.furthest ?? 0), time },
        }
      : 'done' in update
        ? { ...before, mark: { done: update.done, time } }
        : { ...before, opened: { time } }
  const others = Object.entries(old).filter(([other]) => other !== String(lesson))
  const left = others.toSorted(([, one], [, other]) => timeOf(other) - timeOf(one))
  return Object.fromEntries([[String(lesson), next], ...left.slice(0, MOST - 1)])
}

const timeOf = ({ place, mark, opened }: LocalMark) =>
  Math.max(place?.time ?? 0, mark?.time ?? 0, opened?.time ?? 0)

type ServerMarks = Readonly<Record<string, ServerMark>>
export const NOTHING: ServerMarks = {}
let serverMarks = NOTHING
const listeners = new Set<() => void>()
export const readServerMarks = (): ServerMarks => serverMarks

/** Returns a function that unsubscribes. */
export function subscribeServerMarks(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function changeServerMarks(step: (old: ServerMarks) => ServerMarks): void {
  serverMarks = step(serverMarks)
  for (const listener of listeners) listener()
}
