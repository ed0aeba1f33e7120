/**
 * Work that costs about the same for many as for one, such as a transaction with its commit: what comes while a batch
 * is under way makes the next one. Nobody waits for a batch to fill up.
 */

export interface BatchesOptions<Item, Result> {
  /** Items of a batch. */
  readonly most: number
  /** Whose item it is; of each subject at most one is in a batch, so that each sees what the one before did. */
  readonly subjectOf?: (item: Item) => string
  /** A batch that takes longer, because it waits for somebody, no longer keeps the next one from beginning. */
  readonly patienceMs: number
  /** Does a batch and answers each item in its place, or promises to. What it throws all of them get. */
  readonly work: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers a function that resolves with an item's result when its batch is done. One batch runs at a time, as long as
 * none is late.
 */
export function createBatches<Item, Result>({
  most,
  subjectOf,
  patienceMs,
  work,
}: BatchesOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  function takeBatch(): Waiting<Item, Result>[] {
    if (subjectOf === undefined) return waiting.splice(0, most)
    const batch = new Map<string, Waiting<Item, Result>>()
    const later: Waiting<Item, Result>[] = []
    for (const each of waiting) {
      const subject = subjectOf(each.item)
      if (batch.size < most && !batch.has(subject)) batch.set(subject, each)
      else later.push(each)
    }
    waiting = later
    return [...batch.values()]
  }

  async function runAll(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, patienceMs)
      await Promise.race([runBatch(takeBatch()), late.promise])
      clearTimeout(timer)
    }
    isRunning = false
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item))
      for (const [place, { resolve, reject }] of batch.entries()) {
        if (place < results.length) resolve(results[place] as Result)
        else reject(new Error('a batch left an item without its result'))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void runAll()
    })
}
