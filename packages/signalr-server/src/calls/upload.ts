/** A stream that a client uploads, as the method that takes it sees it. */

export interface Upload extends AsyncIterable<unknown> {
  /** More wait than should. */
  isFull(): boolean
  /** Of the items that wait. */
  bytes(): number
  push(item: unknown, bytes: number): void
  /** With an error the method's loop throws. */
  end(error?: Error): void
}

/** `most`: items that may wait to be taken. `onRoom`: fewer wait now. */
export function createUpload(most: number, onRoom: () => void): Upload {
  let items: { item: unknown; bytes: number }[] = []
  let held = 0
  let ended = false
  let failure: Error | undefined
  let wake: (() => void) | undefined

  const finish = (error?: Error) => {
    if (ended) return
    ended = true
    failure = error
    wake?.()
    onRoom()
  }
  async function* take() {
    try {
      for (;;) {
        for (let next = items.shift(); next !== undefined; next = items.shift()) {
          held -= next.bytes
          onRoom()
          yield next.item
        }
        if (failure !== undefined) throw failure
        if (ended) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = undefined
      }
    } finally {
      // The method has had enough: what still comes is let go.
      items = []
      held = 0
      finish()
      onRoom()
    }
  }
  return {
    [Symbol.asyncIterator]: take,
    isFull: () => !ended && items.length > most,
    bytes: () => held,
    push: (item, bytes) => {
      if (ended) return
      items.push({ item, bytes })
      held += bytes
      wake?.()
    },
    end: finish,
  }
}
