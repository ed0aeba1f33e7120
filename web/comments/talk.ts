/** The comments under a lesson: those that came with it, those that are written here, those of others, older ones. */
import { type RefObject, useEffect, useReducer, useRef } from 'react'
import { comments } from '#contract/comments.ts'
import type { Comment } from '#contract/comments.schemas.ts'
import type { OpenLesson } from '#contract/lessons.schemas.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { noteComments } from '#web/comments/comment-count.ts'
import { mergeComments, newestId } from '#web/comments/merge.ts'
import { useSteadyList } from '#web/comments/steady.ts'
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
}

type Step =
  | { readonly kind: 'renew' | 'arrive' | 'older'; readonly comments: readonly Comment[] }
  | { readonly kind: 'post'; readonly comment: Comment }
  | { readonly kind: 'drop'; readonly id: number }

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
    case 'drop':
      return { ...state, list: state.list.filter(({ id }) => id !== step.id) }
  }
}

/** The newest page as it is now; what is older than it stays as it was. */
function renewed(list: readonly Comment[], page: readonly Comment[]): readonly Comment[] {
  const oldest = page.at(-1)?.id ?? 0
  return mayHaveMore(page) ? [...page, ...list.filter(({ id }) => id < oldest)] : page
}

export interface Talk extends State {
  readonly post: (comment: Comment) => void
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
  }))
  // One's own comment may be newer than another's that has not come yet: only what was fetched counts.
  const fetched = useRef(newestId(lesson.comments, 0))
  // What an answer meets that was long on its way: the list of now, and what was deleted meanwhile.
  const list = useRef(state.list)
  const gone = useRef(new Set<number>())
  useEffect(() => {
    list.current = state.list
  })
  const isShown = (id: number) => list.current.some((comment) => comment.id === id)
  const hold = useSteadyList(rows)
  useEffect(() => {
    fetched.current = newestId(lesson.comments, fetched.current)
    step({ kind: 'renew', comments: lesson.comments })
  }, [lesson])

  useWatch(async () => {
    const since = fetched.current
    const found = await fetchSince(lesson.id, since)
    if (fetched.current !== since) return
    fetched.current = newestId(found, since)
    const arrived = found.filter(({ id }) => !isShown(id) && !gone.current.has(id))
    if (arrived.length === 0) return
    hold()
    step({ kind: 'arrive', comments: arrived })
    noteComments(lesson, arrived.length)
  })

  return {
    ...state,
    post: (comment) => {
      // Asking for what is new may have been faster than the answer.
      if (isShown(comment.id)) return
      step({ kind: 'post', comment })
      noteComments(lesson, 1)
    },
    drop: (id) => {
      gone.current.add(id)
      step({ kind: 'drop', id })
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

/** Everything newer than an id, however long the page was asleep. */
async function fetchSince(id: number, since: number): Promise<readonly Comment[]> {
  const ask = (input: { before?: number; after?: number }) =>
    api(comments.ofLesson, { id, ...input }, { quiet: true })
  let page = await ask(since === 0 ? {} : { after: since })
  let found: readonly Comment[] = page
  while (since > 0 && mayHaveMore(page)) {
    page = await ask({ before: page.at(-1)?.id ?? since })
    found = mergeComments(
      found,
      page.filter((comment) => comment.id > since),
    )
    if (page.some((comment) => comment.id <= since)) break
  }
  return found
}
