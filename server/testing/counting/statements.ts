/** What is asked of the database, seen where the driver sends it. */
import pg from 'pg'
import { vi } from 'vitest'

/** A statement as it went to the database. */
export interface Sent {
  readonly text: string
  /** It was sent between a `begin` and its end, over the same connection. */
  readonly inTransaction: boolean
}

/** What all connections of this process send while `act` runs, in its order; what works in the background is among it. */
export async function statementsOf(act: () => Promise<unknown>): Promise<Sent[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    const calls: readonly (readonly unknown[])[] = spy.mock.calls
    const open = new Set<unknown>()
    return calls.map(([query], place) => {
      const text = textOf(query)
      const connection = spy.mock.contexts[place]
      if (/^\s*(?:begin|start transaction)\b/i.test(text)) open.add(connection)
      const inTransaction = open.has(connection)
      if (/^\s*(?:commit|rollback|end)\b/i.test(text)) open.delete(connection)
      return { text, inTransaction }
    })
  } finally {
    spy.mockRestore()
  }
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}
