/** Sends the items of a stream method until it ends or is canceled. */

type Source = AsyncIterable<unknown> | Iterable<unknown>

/** Resolves at the end or when canceled. @throws errors of the method */
export async function pumpStream(
  open: () => Source,
  canceled: AbortSignal,
  take: (item: unknown) => Promise<void>,
): Promise<void> {
  const source = open()
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  // Cancellation must not wait for a stream that yields nothing more.
  const stop = new Promise<'canceled'>((resolve) => {
    if (canceled.aborted) resolve('canceled')
    canceled.addEventListener('abort', () => resolve('canceled'), { once: true })
  })
  for (;;) {
    const next = Promise.resolve(iterator.next())
    const step = await Promise.race([next, stop])
    if (step === 'canceled') {
      next.catch(() => undefined)
      // Not awaited, because the iterator may hang in its next item.
      Promise.resolve(iterator.return?.()).catch(() => undefined)
      return
    }
    if (step.done === true) return
    try {
      await Promise.race([take(step.value), stop])
    } catch (error) {
      Promise.resolve(iterator.return?.()).catch(() => undefined)
      throw error
    }
  }
}
