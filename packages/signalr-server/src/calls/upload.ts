/** A stream that a client uploads, as its method sees it. */

export interface Upload extends AsyncIterable<unknown> {
  /** True if too many items are queued. */
  isFull(): boolean
  /** Size of the queued items. */
  bytes(): number
  push(item: unknown, bytes: number): void
  /** An error is thrown in the method's loop. */
  end(error?: Error): void
}

/** `most` limits the queued items. `onRoom` is called when the queue is no longer full. */
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
      // The method has finished, so that further items are discarded.
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
