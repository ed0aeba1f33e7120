import { useCallback, useEffect, useState } from 'react'
import type { ItemKind } from '#contract/points.ts'
import { ratings, type ItemRatings, type Rating } from '#contract/ratings.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { useReload } from '#web/core/page.ts'
import { useSession } from '#web/core/session.ts'

type SaidWord = 'ratingSaved' | 'ratingRemoved' | 'ratingDeleted'

export interface Listed {
  /** Null until it is loaded. */
  readonly list: ItemRatings | null
  readonly failed: boolean
  readonly more: boolean
  /** Loads the newest ratings again. */
  readonly ask: () => void
  readonly showOlder: () => Promise<void>
  /** Replaces a changed rating. */
  readonly put: (rating: Rating) => void
  /** Replaces the viewer's own rating; null removes it. */
  readonly putOwn: (rating: Rating | null) => void
  /** Called after an administrator deleted a rating. */
  readonly dropped: () => void
  /** The announcement and its number, so that the same sentence can be announced twice. */
  readonly said: { readonly times: number; readonly word: SaidWord }
}

/** Loads at once for signed-in viewers, who may have a rating of their own; for guests on request. */
export function useItemRatings(kind: ItemKind, id: number): Listed {
  const [list, setList] = useState<ItemRatings | null>(null)
  const [failed, setFailed] = useState(false)
  const [page, setPage] = useState(1)
  const [said, setSaid] = useState<Listed['said']>({ times: 0, word: 'ratingSaved' })
  const reload = useReload()
  const read = useCallback(
    (wanted: number) =>
      kind === 'lesson'
        ? api(ratings.ofLesson, { id, page: wanted })
        : api(ratings.ofCourse, { id, page: wanted }),
    [kind, id],
  )
  const ask = useCallback(() => {
    read(1).then(
      (found) => {
        setFailed(false)
        setPage(1)
        setList(found)
      },
      () => setFailed(true),
    )
  }, [read])
  const isGuest = useSession() === null
  useEffect(() => {
    if (!isGuest) ask()
  }, [ask, isGuest])
  const showOlder = async () => {
    try {
      const next = await read(page + 1)
      setPage(page + 1)
      setList((old) => {
        const known = new Set(old?.entries.map((entry) => entry.id))
        const fresh = next.entries.filter((entry) => !known.has(entry.id))
        return { ...next, entries: [...(old?.entries ?? []), ...fresh] }
      })
    } catch {
      setFailed(true)
    }
  }
  const put = (rating: Rating) =>
    setList((old) =>
      old === null
        ? old
        : { ...old, entries: old.entries.map((one) => (one.id === rating.id ? rating : one)) },
    )
  const changed = (word: SaidWord) => {
    ask()
    setSaid(({ times }) => ({ times: times + 1, word }))
    void reload()
  }
  const putOwn = (own: Rating | null) => {
    setList((old) => (old === null ? old : { ...old, own }))
    changed(own === null ? 'ratingRemoved' : 'ratingSaved')
  }
  const dropped = () => changed('ratingDeleted')
  const more = list !== null && list.count > page * ROWS_PER_PAGE
  return { list, failed, more, ask, showOlder, put, putOwn, dropped, said }
}
