/** Elects one tab of a browser as the leader, which does the work for all. */

export interface Candidate {
  /** Takes the lead from a tab that does not answer. A frozen tab still holds its lock. */
  readonly takeOver: () => void
  /** Gives up the lead, or stops waiting for it. */
  readonly resign: () => void
}

export interface Leadership {
  readonly begin: () => void
  /** Another tab has taken over. This one waits for the lead again. */
  readonly end: () => void
}

/**
 * The first candidate leads, and the next one when that tab closes. If the browser refuses locks, as with blocked
 * cookies, each tab is a leader. `name` must be the same in all tabs.
 */
export function joinElection(name: string, { begin, end }: Leadership): Candidate {
  const controller = new AbortController()
  let isOver = false
  let release = () => {}

  const take = () =>
    new Promise<void>((resolve) => {
      release = resolve
      if (isOver) resolve()
      else begin()
    })
  const wait = () => {
    navigator.locks.request(name, { signal: controller.signal }, take).catch((error: unknown) => {
      if (isOver) return
      if (!isAborted(error)) {
        begin()
        return
      }
      end()
      wait()
    })
  }
  wait()
  return {
    takeOver: () => {
      if (isOver) return
      navigator.locks.request(name, { steal: true }, take).catch(() => {
        // The original request is still queued.
        if (!isOver) end()
      })
    },
    resign: () => {
      isOver = true
      controller.abort()
      release()
    },
  }
}

/** True if this tab resigned or another took over. Any other error would repeat at once and forever. */
const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'
