import { setTimeout as sleep } from 'node:timers/promises'
import { silenceOf } from './people.ts'

const READERS = 3
const READ_MS = 100
const READ_MOST_MS = 15_000

/** Starts readers of pages. Every answer except 200 is a failure, reported as it happens. */
export function startReaders(
  origin: string,
  paths: readonly string[],
  say: (failure: string) => void,
) {
  const failures: string[] = []
  const fail = (what: string) => {
    failures.push(what)
    say(what)
  }
  let count = 0
  let isOver = false
  const read = async (reader: number) => {
    for (let turn = reader; !isOver; turn += 1) {
      const path = paths[turn % paths.length] ?? '/'
      try {
        const answer = await fetch(`${origin}${path}`, {
          signal: AbortSignal.timeout(READ_MOST_MS),
        })
        await answer.arrayBuffer()
        if (answer.status !== 200) fail(`${path}: ${answer.status}`)
        count += 1
      } catch (error) {
        fail(`${path}: ${silenceOf(error, READ_MOST_MS)}`)
      }
      await sleep(READ_MS)
    }
  }
  const readers = Array.from({ length: READERS }, (_, reader) => read(reader))
  return {
    finish: async () => {
      isOver = true
      await Promise.all(readers)
      return { count, failures }
    },
  }
}
