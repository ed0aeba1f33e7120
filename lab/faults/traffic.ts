/** People read pages, write and chat through a load balancer while the nodes behind it change. */
import { createRandom, type Outcome } from './experiment.ts'
import { startReaders } from './readers.ts'
import { openTalkers } from './talkers.ts'
import { openWriter } from './writer.ts'

interface Traffic {
  readonly url: string
  readonly seed: number
  readonly writesPerSecond: number
  readonly say: (line: string) => void
}

/** The effects on people. Every failed request is a breach. */
export type Noticed = Omit<Outcome, 'fault' | 'tries' | 'died' | 'recoveryMs'>

/** Runs `work` under traffic and reads everything back. */
export async function underTraffic(
  { url, seed, writesPerSecond, say }: Traffic,
  work: () => Promise<void>,
): Promise<Noticed> {
  const begun = performance.now()
  const log = (what: string) =>
    say(`  after ${((performance.now() - begun) / 1000).toFixed(1)} s: ${what}`)
  const random = createRandom(seed)
  const writer = await openWriter({ origin: () => url, random, perSecond: writesPerSecond })
  const talkers = await openTalkers({ speaker: url, listener: url }, log)
  const readers = startReaders(url, ['/', '/lesson/all', `/lesson/details/${writer.lesson}`], log)
  writer.start()
  talkers.start()
  await work()
  const reads = await readers.finish()
  await writer.finish()
  const talk = await talkers.finish()
  const count = await writer.count()
  return {
    acknowledged: count.acknowledged + talk.acknowledged,
    lost: count.lost + talk.lost,
    doubled: count.doubled + talk.doubled,
    note: `${reads.count} pages read, ${talk.reconnects} hub connections led elsewhere`,
    breaches: [...reads.failures, ...writer.failures(), ...talk.failures, ...count.breaches],
  }
}
