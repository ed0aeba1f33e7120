import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useSession } from '#web/core/session.ts'
import { useStored } from '#web/core/storage/stored.ts'
import {
  isLocalMarks,
  type ServerMark,
  type Mark,
  NONE,
  NOTHING,
  readServerMarks,
  type MarkUpdate,
  subscribeServerMarks,
  LOCAL_KEY,
  type LocalMark,
  withUpdate,
} from '#web/items/progress/marks.ts'
import { ask, send } from '#web/items/progress/sending.ts'

interface Marks {
  readonly of: (lesson: number) => Mark | undefined
  /** With `now`, the server is updated at once instead of with the next position. */
  readonly record: (lesson: number, update: MarkUpdate, now?: boolean) => void
}

/** A video counts as seen from this share on, as on the server. */
const LAST_PART = 0.95

/** Empty on the server and in the first render. */
export function useMarks(lessons: readonly number[]): Marks {
  const person = useSession()?._id
  const { value: local, change } = useStored(LOCAL_KEY, isLocalMarks, NONE)
  const server = useSyncExternalStore(subscribeServerMarks, readServerMarks, () => NOTHING)
  const asked = lessons.join()
  useEffect(() => {
    if (person === undefined || asked === '') return
    void ask(asked.split(',').map(Number))
  }, [person, asked])
  return useMemo(
    () => ({
      of: (lesson) => markOf(local[lesson], server[lesson]),
      record: (lesson, update, now = false) => {
        change((old) => withUpdate(old, lesson, update))
        if (person !== undefined) void send(now)
      },
    }),
    [person, local, server, change],
  )
}

/** The local record is newer than the server's, or is found to be older when it is sent. */
function markOf(local: LocalMark | undefined, server: ServerMark | undefined): Mark | undefined {
  if (local === undefined && server === undefined) return undefined
  const { place = server, mark, opened } = local ?? {}
  const isSeen = local?.place !== undefined && local.place.furthest >= local.place.of * LAST_PART
  return {
    // A video that was seen to the end starts again at the beginning.
    place:
      place !== undefined && place.at > 0 && place.at < place.of * LAST_PART ? place : undefined,
    done: mark?.done ?? (server?.done === true || isSeen),
    time: Math.max(...[local?.place, mark, opened, server].map((part) => part?.time ?? 0)),
  }
}
