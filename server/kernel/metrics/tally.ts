/** A counter for events that happen tens of thousands of times a second: a number in a map, read on collection. */
import { Counter, type Registry } from 'prom-client'

export interface Tally<Label extends string> {
  /** Adds one. The values are in the order of the labels. */
  inc(...values: readonly string[]): void
  readonly labelNames: readonly Label[]
}

interface TallyOptions<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
}

export function createTally<Label extends string>(
  registry: Registry,
  { name, help, labelNames }: TallyOptions<Label>,
): Tally<Label> {
  const counts = new Map<string, { readonly values: readonly string[]; count: number }>()
  new Counter<string>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset()
      for (const { values, count } of counts.values())
        this.inc(
          Object.fromEntries(labelNames.map((label, at) => [label, values[at] ?? ''])),
          count,
        )
    },
  })
  return {
    labelNames,
    inc: (...values) => {
      const key = values.length === 1 ? (values[0] ?? '') : values.join('\n')
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { values, count: 1 })
      else known.count += 1
    },
  }
}
