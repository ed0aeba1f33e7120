import { readFileSync } from 'node:fs'
import { sample } from '#server/testing/lane.ts'

const AT_ONCE = 4

/**
 * Reads the texts of a file in this folder, or a sample of them (lane.ts). They are not imported, because some are
 * invalid Unicode, which a build would refuse.
 */
export function readCorpus(name: string): readonly string[] {
  const text = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')
  return sample(JSON.parse(text) as string[])
}

/** Calls `act` with every text. @throws the first error, after the calls in progress have ended */
export async function inOrder<Item>(
  corpus: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...corpus]
  const work = async () => {
    while (waiting.length > 0) {
      const item = waiting.shift()
      if (item !== undefined) await act(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
