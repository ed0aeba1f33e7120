/** Corpora of hostile texts, and how they are worked through. */
import { readFileSync } from 'node:fs'

const AT_ONCE = 4

/** The texts of a file beside this one. Not imported: some are no Unicode, which a build would refuse. */
export function readCorpus(name: string): readonly string[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as string[]
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
