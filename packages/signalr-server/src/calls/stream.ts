/** Sends what a stream method gives, item by item, until it ends or is canceled. */

type Source = AsyncIterable<unknown> | Iterable<unknown>

/** Resolves at the end or when canceled. @throws what the method throws */
export async function pumpStream(
  open: () => Source,
  canceled: AbortSignal,
  take: (item: unknown) => Promise<void>,
): Promise<void> {
  const source = open()
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  // A stream that gives nothing more must not keep its cancellation waiting.
  const stop = new Promise<'canceled'>((resolve) => {
    if (canceled.aborted) resolve('canceled')
    canceled.addEventListener('abort', () => resolve('canceled'), { once: true })
  })
  for (;;) {
    const next = Promise.resolve(iterator.next())
    const step = await Promise.race([next, stop])
    if (step === 'canceled') {
      next.catch(() => undefined)
      // It may hang in its next item for ever: nobody waits for it.
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
