/** Repeats a fault while people write, and counts its effects. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '#server/testing/product.ts'
import {
  createRandom,
  turnsOf,
  type ExperimentOptions,
  type Outcome,
  type Random,
} from './experiment.ts'
import { openWriter } from './writer.ts'

export interface Fault {
  readonly fault: string
  readonly note: string
  /** Limit in ms until a write is acknowledged again. */
  readonly most?: number
  /** Returns the time from which recovery counts. */
  act(random: Random): Promise<number>
}

export async function repeat(
  options: ExperimentOptions,
  product: Pick<Product, 'url' | 'hasEnded'>,
  each: Fault,
): Promise<Outcome> {
  const { seed } = options
  const { fault, note, most = Number.POSITIVE_INFINITY } = each
  const random = createRandom(seed)
  const writer = await openWriter({ origin: () => product.url, random })
  writer.start()
  const recoveryMs: number[] = []
  for (const turn of turnsOf(options)) {
    if (product.hasEnded()) break
    await sleep(random.between(300, 1500))
    const took = await writer.recovered(await each.act(random))
    recoveryMs.push(took)
    options.say(`  ${turn} of ${options.tries}: whole again after ${Math.round(took)} ms`)
  }
  await writer.finish()
  const count = await writer.count()
  const late = recoveryMs.filter((ms) => ms > most).length
  const breaches = late > 0 ? [`${late} times it took longer than ${most} ms`] : []
  return {
    ...count,
    fault,
    tries: recoveryMs.length,
    died: product.hasEnded() ? 1 : 0,
    recoveryMs,
    note,
    breaches: [...breaches, ...count.breaches],
  }
}
