/** A stream that a client uploads, as the method that takes it sees it. */

export interface Upload extends AsyncIterable<unknown> {
  /** A promise when no more should be read until it settles. */
  push(item: unknown): Promise<void> | undefined
  /** With an error the method's loop throws. */
  end(error?: Error): void
}

/** `most`: items that may wait to be taken. */
export function createUpload(most: number): Upload {
  const items: unknown[] = []
  let ended = false
  let failure: Error | undefined
  let wake: (() => void) | undefined
  let room: PromiseWithResolvers<void> | undefined

  const finish = (error?: Error) => {
    if (ended) return
    ended = true
    failure = error
    room?.resolve()
    wake?.()
  }
  async function* take() {
    try {
      for (;;) {
        while (items.length > 0) {
          const item = items.shift()
          if (items.length <= most / 2) room?.resolve()
          yield item
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
      items.length = 0
      finish()
    }
  }
  return {
    [Symbol.asyncIterator]: take,
    push: (item) => {
      if (ended) return undefined
      items.push(item)
      wake?.()
      if (items.length <= most) return undefined
      room = Promise.withResolvers()
      return room.promise
    },
    end: finish,
  }
}
