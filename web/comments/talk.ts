/** The comments under a lesson: those that came with it, those that are written here, those of others, older ones. */
import { type RefObject, useEffect, useMemo, useReducer, useRef } from 'react'
import { comments, type Comment, type CommentChanges } from '#contract/comments.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { noteComments } from '#web/comments/comment-count.ts'
import { mergeComments, newestId } from '#web/comments/merge.ts'
import { useSteadyList } from '#web/comments/steady.ts'
import { threadsOf, type Roots, type Thread } from '#web/comments/threads.ts'
import { useWatch } from '#web/comments/watch.ts'

interface State {
  /** Newest first. */
  readonly list: readonly Comment[]
  /** The newest id of each page that was fetched, newest first. */
  readonly starts: readonly number[]
  /** Older ones may exist. */
  readonly more: boolean
  /** Came since the page was opened, from others. */
  readonly fresh: ReadonlySet<number>
  /** How many came last. */
  readonly arrived: number
  /** How often some came: the same sentence twice is two announcements. */
  readonly arrivals: number
  /** Comments that are answered in the list and older than it; null: deleted. */
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

/** The server looks back for a minute when it is asked first; a page that was not seen for longer asks for everything. */
const FIRST_LOOK_MS = 45_000
const EVERYTHING = 1

const mayHaveMore = (page: readonly Comment[]) => page.length >= ROWS_PER_PAGE

const startOf = (page: readonly Comment[]) => page.slice(0, 1).map(({ id }) => id)

function take(state: State, step: Step): State {
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

/** Those that are shown with their other texts, in the list or as what is answered there. */
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

/** The newest page as it is now; what is older than it stays as it was. */
function renewed(list: readonly Comment[], page: readonly Comment[]): readonly Comment[] {
  const oldest = page.at(-1)?.id ?? 0
  return mayHaveMore(page) ? [...page, ...list.filter(({ id }) => id < oldest)] : page
}

export interface Talk extends State {
  readonly threads: readonly Thread[]
  readonly post: (comment: Comment) => void
  /** Shows a comment with its other text. */
  readonly change: (comment: Comment) => void
  readonly drop: (id: number) => void
  /** Answers the first of the older ones, undefined when there was none. @throws ApiError */
  readonly showOlder: () => Promise<number | undefined>
}

/** `rows`: the element whose children the comments are. */
export function useTalk(lesson: OpenLesson, rows: RefObject<HTMLElement | null>): Talk {
  const [state, step] = useReducer(take, lesson, ({ comments: list }) => ({
    list,
    starts: startOf(list),
    more: mayHaveMore(list),
    fresh: new Set<number>(),
    arrived: 0,
    arrivals: 0,
    roots: new Map<number, Comment | null>(),
  }))
  // One's own comment may be newer than another's that has not come yet: only what was fetched counts.
  const fetched = useRef(newestId(lesson.comments, 0))
  // What an answer meets that was long on its way: the list of now, and what was deleted meanwhile.
  const shown = useRef(state)
  const gone = useRef(new Set<number>())
  useEffect(() => {
    shown.current = state
  })
  const isShown = (id: number) => shown.current.list.some((comment) => comment.id === id)
  /** By the server's clock; null: it has not been asked yet. */
  const told = useRef<number | null>(null)
  const opened = useRef(0)
  useEffect(() => {
    opened.current = Date.now()
  }, [])
  const hold = useSteadyList(rows)
  useEffect(() => {
    fetched.current = newestId(lesson.comments, fetched.current)
    step({ kind: 'renew', comments: lesson.comments })
  }, [lesson])

  useWatch(async () => {
    const after = fetched.current
    const isLate = Date.now() - opened.current > FIRST_LOOK_MS
    const since = told.current ?? (isLate ? EVERYTHING : null)
    const found = await fetchChanges(lesson.id, after, since)
    if (fetched.current !== after) return
    fetched.current = newestId(found.fresh, after)
    told.current = found.at
    for (const id of found.gone) gone.current.add(id)
    const left = found.gone.filter((id) => isShown(id) || (shown.current.roots.get(id) ?? null))
    const other = found.changed.filter((comment) => isOther(shown.current, comment))
    const arrived = found.fresh.filter(({ id }) => !isShown(id) && !gone.current.has(id))
    if (left.length + other.length + arrived.length === 0) return
    hold()
    noteComments(lesson, arrived.length - left.filter(isShown).length)
    if (left.length > 0) step({ kind: 'drop', ids: left })
    if (other.length > 0) step({ kind: 'change', comments: other })
    if (arrived.length > 0) step({ kind: 'arrive', comments: arrived })
  })

  const threads = useMemo(() => threadsOf(state), [state])
  useRoots(lesson.id, threads, (id, root) => step({ kind: 'root', id, root }))

  return {
    ...state,
    threads,
    change: (comment) => step({ kind: 'change', comments: [comment] }),
    post: (comment) => {
      // Asking for what is new may have been faster than the answer.
      if (isShown(comment.id)) return
      step({ kind: 'post', comment })
      noteComments(lesson, 1)
    },
    drop: (id) => {
      gone.current.add(id)
      step({ kind: 'drop', ids: [id] })
      noteComments(lesson, -1)
    },
    showOlder: async () => {
      const before = state.list.at(-1)?.id
      const older = await api(comments.ofLesson, { id: lesson.id, before })
      step({ kind: 'older', comments: older })
      return older[0]?.id
    },
  }
}

/** Fetches what is answered and older than the list, each once; a failure leaves it to the next change of the list. */
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

/** True for one that is shown with another text than this. */
function isOther({ list, roots }: State, { id, text, edited }: Comment): boolean {
  const known = list.find((comment) => comment.id === id) ?? roots.get(id) ?? null
  return known !== null && (known.text !== text || known.edited !== edited)
}

/** What happened since the page asked last: everything newer than an id, however long the page was asleep. */
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
