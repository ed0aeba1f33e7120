/** Records statements where the driver sends them to the database. */
import pg from 'pg'
import { vi } from 'vitest'

export interface Sent {
  readonly text: string
  /** True if it was sent between a `begin` and its end on the same connection. */
  readonly inTransaction: boolean
}

/** Returns all statements of this process while `act` runs, in order. They include those of background work. */
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
