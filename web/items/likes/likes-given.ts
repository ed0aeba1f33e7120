/** Likes given since the page was loaded, so that all counts of an item agree. */
import { useSyncExternalStore } from 'react'
import { useSession } from '#web/core/session.ts'

export type LikedKind = 'lesson' | 'course'

interface Likable {
  readonly id: number
  readonly likes: number
  readonly liked?: boolean | undefined
}

interface Likes {
  readonly likes: number
  readonly liked: boolean
}

const given = new Map<string, number>()
const listeners = new Set<() => void>()

/** Includes the person, because another one may sign in in this browser. */
const keyOf = (person: string, kind: LikedKind, id: number) => `${person} ${kind} ${id}`

/** Data that already contains the like is newer than the local count. */
export function useLikes(kind: LikedKind, item: Likable): Likes {
  const person = useSession()?._id ?? ''
  const key = keyOf(person, kind, item.id)
  const since = useSyncExternalStore(
    subscribe,
    () => given.get(key),
    () => undefined,
  )
  if (item.liked === true || since === undefined)
    return { likes: item.likes, liked: item.liked === true }
  return { likes: since, liked: true }
}

/** Stores the count after a like. Undefined undoes it. */
export function noteLike(
  person: string,
  kind: LikedKind,
  id: number,
  likes: number | undefined,
): void {
  if (likes === undefined) given.delete(keyOf(person, kind, id))
  else given.set(keyOf(person, kind, id), likes)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
