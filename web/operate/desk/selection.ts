import { useState } from 'react'

type Key = number | string

export interface Listed {
  readonly id: number
}

export interface Selection {
  readonly selected: ReadonlySet<Key>
  readonly select: (key: Key, selected: boolean) => void
  readonly choose: (keys: readonly Key[]) => void
}

export interface ListSelection extends Selection {
  /** In the order of the list. */
  readonly ids: readonly number[]
}

/** `list` is the current page. Items that leave it are no longer selected. */
export function useSelection(list: readonly Listed[]): ListSelection {
  const [ticked, setTicked] = useState<readonly Key[]>([])
  const ids = list.flatMap(({ id }) => (ticked.includes(id) ? [id] : []))
  return {
    ids,
    selected: new Set(ids),
    select: (key, isTicked) =>
      setTicked(isTicked ? [...ids, key] : ids.filter((other) => other !== key)),
    choose: setTicked,
  }
}
