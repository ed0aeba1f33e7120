import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useSession } from '#web/core/session.ts'
import { useStored } from '#web/core/storage/stored.ts'
import {
  isTold,
  type Known,
  type Mark,
  NONE,
  NOTHING,
  readKnown,
  type Saying,
  subscribeKnown,
  TOLD,
  type Told,
  withSaid,
} from '#web/progress/marks.ts'
import { ask, send } from '#web/progress/sending.ts'

interface Marks {
  readonly of: (lesson: number) => Mark | undefined
  /** `now`: the server is told at once, not with the next place. */
  readonly tell: (lesson: number, said: Saying, now?: boolean) => void
}

/** The part of a video after which it counts as seen, as the server has it. */
const LAST_PART = 0.95

/** How far the person of this browser is in `lessons`. Nothing on the server and in the first paint. */
export function useMarks(lessons: readonly number[]): Marks {
  const person = useSession()?._id
  const { value: told, change } = useStored(TOLD, isTold, NONE)
  const known = useSyncExternalStore(subscribeKnown, readKnown, () => NOTHING)
  const asked = lessons.join()
  useEffect(() => {
    if (person === undefined || asked === '') return
    void ask(asked.split(',').map(Number))
  }, [person, asked])
  return useMemo(
    () => ({
      of: (lesson) => markOf(told[lesson], known[lesson]),
      tell: (lesson, said, now = false) => {
        change((old) => withSaid(old, lesson, said))
        if (person !== undefined) void send(now)
      },
    }),
    [person, told, known, change],
  )
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
