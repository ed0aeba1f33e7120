/** Work that would hurt the others when done side by side is done one at a time. */

/** Runs one task after the other; beyond `most` waiting ones, throws what `refuse` makes. */
export function createTurns(
  most: number,
  refuse: () => Error,
): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (task) => {
    if (waiting >= most) throw refuse()
    waiting += 1
    const before = last
    const mine = (async () => {
      await before.catch(() => undefined)
      return task()
    })()
    last = mine
    try {
      return await mine
    } finally {
      waiting -= 1
    }
  }
}
