/** Leader election among the tabs of one browser: one of them does what is to be done once for all. */

export interface Candidate {
  /** Takes the lead from a leader that does not answer: a frozen tab still owns its lock. */
  readonly takeOver: () => void
  /** Gives up the lead, or stops waiting for it. */
  readonly resign: () => void
}

export interface Leadership {
  /** This tab is the leader from now on. */
  readonly begin: () => void
  /** Another tab has taken over; this one waits for the lead again. */
  readonly end: () => void
}

/**
 * Makes this tab a candidate. Of the candidates of a name the first is the leader, and the next one when its tab
 * closes. Where the browser refuses locks, as with cookies blocked, tabs can't agree and each is a leader.
 * @param name the same in all tabs that take part
 * @param leadership what this tab does when its lead begins and ends
 */
export function joinElection(name: string, { begin, end }: Leadership): Candidate {
  const gone = new AbortController()
  let isOver = false
  let release = () => {}

  const take = () =>
    new Promise<void>((resolve) => {
      release = resolve
      if (isOver) resolve()
      else begin()
    })
  const wait = () => {
    navigator.locks.request(name, { signal: gone.signal }, take).catch((error: unknown) => {
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
        // The first request still waits.
        if (!isOver) end()
      })
    },
    resign: () => {
      isOver = true
      gone.abort()
      release()
    },
  }
}

/** Resigned, or taken over by another tab. Every other refusal would come again at once, and for ever. */
const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'
