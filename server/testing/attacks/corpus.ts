/** Corpora of hostile texts, and how they are worked through. */
import { readFileSync } from 'node:fs'
import { sample } from '#server/testing/lane.ts'

const AT_ONCE = 4

/** The texts of a file beside this one, or a part of them (lane.ts). Not imported: some are no Unicode, which a build would refuse. */
export function readCorpus(name: string): readonly string[] {
  const text = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')
  return sample(JSON.parse(text) as string[])
}

/** Calls `act` with every text. @throws what the first that fails throws, after the others at work have ended */
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
