/** Which of the browser's tabs does what one of them is to do for all. */

export interface Candidate {
  /** Takes the office from a tab that has it and does not answer: a frozen one keeps its lock. */
  readonly seize: () => void
  /** Gives it up, or waits for it no more. */
  readonly leave: () => void
}

export interface Office {
  /** This tab holds it from now on. */
  readonly hold: () => void
  /** Another has taken it; this tab waits for it again. */
  readonly lose: () => void
}

/**
 * Waits until the tabs that stood before have gone. One of a name holds the office, and another when that closes.
 * Where the browser refuses locks, as with cookies blocked, tabs can't agree and each holds it.
 */
export function stand(name: string, { hold, lose }: Office): Candidate {
  const gone = new AbortController()
  let isOver = false
  let release = () => {}

  const take = () =>
    new Promise<void>((resolve) => {
      release = resolve
      if (isOver) resolve()
      else hold()
    })
  const wait = () => {
    navigator.locks.request(name, { signal: gone.signal }, take).catch((error: unknown) => {
      if (isOver) return
      if (!isAborted(error)) {
        hold()
        return
      }
      lose()
      wait()
    })
  }
  wait()
  return {
    seize: () => {
      if (isOver) return
      navigator.locks.request(name, { steal: true }, take).catch(() => {
        // The first request still waits.
        if (!isOver) lose()
      })
    },
    leave: () => {
      isOver = true
      gone.abort()
      release()
    },
  }
}

/** Given up, or taken by force. Every other refusal would come again at once, and for ever. */
const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'
