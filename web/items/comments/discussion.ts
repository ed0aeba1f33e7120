/** The comments of an open lesson: those of the page, older ones, the viewer's own, and new ones by others. */
import { type RefObject, useEffect, useMemo, useReducer, useRef } from 'react'
import { comments, type Comment, type CommentChanges } from '#contract/comments.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { addToCommentCount } from '#web/items/comments/comment-count.ts'
import { mergeComments, newestId } from '#web/items/comments/merge.ts'
import { useScrollAnchor } from '#web/items/comments/scroll-anchor.ts'
import { threadsOf, type Roots, type Thread } from '#web/items/comments/threads.ts'
import { usePolling } from '#web/items/comments/polling.ts'

interface State {
  readonly list: readonly Comment[]
  readonly starts: readonly number[]
  readonly more: boolean
  /** Ids of comments by others that arrived since the page was opened. */
  readonly fresh: ReadonlySet<number>
  /** Number of comments in the last arrival. */
  readonly arrived: number
  /** Number of arrivals, so that two arrivals of the same size are announced twice. */
  readonly arrivals: number
  /** Answered comments that are older than the list; null when deleted. */
  readonly roots: Roots
}

type Step =
  | {
      readonly kind: 'renew' | 'arrive' | 'older' | 'change'
      readonly comments: readonly Comment[]
    }
  | { readonly kind: 'post'; readonly comment: Comment }
  | { readonly kind: 'drop'; readonly ids: readonly number[] }
  | { readonly kind: 'root'; readonly id: number; readonly root: Comment | null }

/** The server's first response covers the last minute. A page that was hidden longer asks for all changes. */
const FIRST_LOOK_MS = 45_000
const EVERYTHING = 1

const mayHaveMore = (page: readonly Comment[]) => page.length >= ROWS_PER_PAGE

const startOf = (page: readonly Comment[]) => page.slice(0, 1).map(({ id }) => id)

function reduce(state: State, step: Step): State {
  switch (step.kind) {
    case 'renew':
      return { ...state, list: renewed(state.list, step.comments) }
    case 'arrive':
      return {
        ...state,
        list: mergeComments(state.list, step.comments),
        fresh: new Set([...state.fresh, ...step.comments.map(({ id }) => id)]),
        arrived: step.comments.length,
        arrivals: state.arrivals + 1,
      }
    case 'older': {
      const list = mergeComments(state.list, step.comments)
      const starts = [...state.starts, ...startOf(step.comments)]
      return { ...state, list, starts, more: mayHaveMore(step.comments) }
    }
    case 'post':
      return { ...state, list: mergeComments(state.list, [step.comment]) }
    case 'change':
      return changed(state, step.comments)
    case 'drop':
      return {
        ...withRoots(
          state,
          step.ids.map((id) => [id, null]),
        ),
        list: state.list.filter(({ id }) => !step.ids.includes(id)),
      }
    case 'root':
      return withRoots(state, [[step.id, step.root]])
  }
}

const withRoots = (state: State, roots: readonly (readonly [number, Comment | null])[]): State => ({
  ...state,
  roots: new Map([...state.roots, ...roots]),
})

/** Replaces the texts of edited comments, both in the list and among the answered ones. */
function changed(state: State, comments: readonly Comment[]): State {
  const known = new Set(state.list.map(({ id }) => id))
  const roots = comments.filter(({ id }) => (state.roots.get(id) ?? null) !== null)
  return {
    ...withRoots(
      state,
      roots.map((root) => [root.id, root]),
    ),
    list: mergeComments(
      state.list,
      comments.filter(({ id }) => known.has(id)),
    ),
  }
}

/** Replaces the newest page and leaves older comments as they are. */
function renewed(list: readonly Comment[], page: readonly Comment[]): readonly Comment[] {
  const oldest = page.at(-1)?.id ?? 0
  return mayHaveMore(page) ? [...page, ...list.filter(({ id }) => id < oldest)] : page
}

export interface Discussion extends State {
  readonly threads: readonly Thread[]
  readonly post: (comment: Comment) => void
  readonly change: (comment: Comment) => void
  readonly drop: (id: number) => void
  /** Returns the id of the first older comment, or undefined when there was none. @throws ApiError */
  readonly showOlder: () => Promise<number | undefined>
}

/** @param rows the element whose children are the stretches of comments */
export function useDiscussion(lesson: OpenLesson, rows: RefObject<HTMLElement | null>): Discussion {
  const [state, dispatch] = useReducer(reduce, lesson, ({ comments: list }) => ({
    list,
    starts: startOf(list),
    more: mayHaveMore(list),
    fresh: new Set<number>(),
    arrived: 0,
    arrivals: 0,
    roots: new Map<number, Comment | null>(),
  }))
  // Counts only fetched comments, because the viewer's own comment may be newer than one that has not arrived yet.
  const fetched = useRef(newestId(lesson.comments, 0))
  // Refs give a late response the current list and the ids that were deleted meanwhile.
  const shown = useRef(state)
  const deletedIds = useRef(new Set<number>())
  useEffect(() => {
    shown.current = state
  })
  const isShown = (id: number) => shown.current.list.some((comment) => comment.id === id)
  /** The server's time at the last request; null before the first one. */
  const checkedAt = useRef<number | null>(null)
  const opened = useRef(0)
  useEffect(() => {
    opened.current = Date.now()
  }, [])
  const anchor = useScrollAnchor(rows)
  useEffect(() => {
    fetched.current = newestId(lesson.comments, fetched.current)
    dispatch({ kind: 'renew', comments: lesson.comments })
  }, [lesson])

  usePolling(async () => {
    const after = fetched.current
    const isLate = Date.now() - opened.current > FIRST_LOOK_MS
    const since = checkedAt.current ?? (isLate ? EVERYTHING : null)
    const found = await fetchChanges(lesson.id, after, since)
    if (fetched.current !== after) return
    fetched.current = newestId(found.fresh, after)
    checkedAt.current = found.at
    for (const id of found.gone) deletedIds.current.add(id)
    const left = found.gone.filter((id) => isShown(id) || (shown.current.roots.get(id) ?? null))
    const other = found.changed.filter((comment) => isOther(shown.current, comment))
    const arrived = found.fresh.filter(({ id }) => !isShown(id) && !deletedIds.current.has(id))
    if (left.length + other.length + arrived.length === 0) return
    anchor()
    addToCommentCount(lesson, arrived.length - left.filter(isShown).length)
    if (left.length > 0) dispatch({ kind: 'drop', ids: left })
    if (other.length > 0) dispatch({ kind: 'change', comments: other })
    if (arrived.length > 0) dispatch({ kind: 'arrive', comments: arrived })
  })

  const threads = useMemo(() => threadsOf(state), [state])
  useRoots(lesson.id, threads, (id, root) => dispatch({ kind: 'root', id, root }))

  return {
    ...state,
    threads,
    change: (comment) => dispatch({ kind: 'change', comments: [comment] }),
    post: (comment) => {
      // The poll for changes may have delivered the comment before this response.
      if (isShown(comment.id)) return
      dispatch({ kind: 'post', comment })
      addToCommentCount(lesson, 1)
    },
    drop: (id) => {
      deletedIds.current.add(id)
      dispatch({ kind: 'drop', ids: [id] })
      addToCommentCount(lesson, -1)
    },
    showOlder: async () => {
      const before = state.list.at(-1)?.id
      const older = await api(comments.ofLesson, { id: lesson.id, before })
      dispatch({ kind: 'older', comments: older })
      return older[0]?.id
    },
  }
}

/** Fetches each answered comment older than the list once. After a failure the list's next change retries. */
function useRoots(
  lessonId: number,
  threads: readonly Thread[],
  onFound: (id: number, root: Comment | null) => void,
): void {
  const asked = useRef(new Set<number>())
  const found = useRef(onFound)
  useEffect(() => {
    found.current = onFound
    for (const { id, root } of threads) {
      if (root !== undefined || asked.current.has(id)) continue
      asked.current.add(id)
      const alone = { id: lessonId, before: id + 1, ...(id > 1 && { after: id - 1 }) }
      void api(comments.ofLesson, alone, { quiet: true }).then(
        ([answered]) => found.current(id, answered ?? null),
        () => asked.current.delete(id),
      )
    }
  })
}

/** True when the comment is shown with another text. */
function isOther({ list, roots }: State, { id, text, edited }: Comment): boolean {
  const known = list.find((comment) => comment.id === id) ?? roots.get(id) ?? null
  return known !== null && (known.text !== text || known.edited !== edited)
}

/** Fetches everything that is newer than an id, however long the page was hidden. */
async function fetchChanges(
  id: number,
  after: number,
  since: number | null,
): Promise<CommentChanges> {
  const known = { id, ...(after > 0 && { after }), ...(since !== null && { since }) }
  const found = await api(comments.changes, known, { quiet: true })
  let page: readonly Comment[] = found.fresh
  let fresh = page
  while (after > 0 && mayHaveMore(page)) {
    page = await api(comments.ofLesson, { id, after: newestId(page, after) }, { quiet: true })
    fresh = mergeComments(fresh, page)
  }
  return { ...found, fresh: [...fresh] }
}
