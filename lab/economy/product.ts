/** How an agent appears to the product, and what it answers. */
import type { Viewer } from '#server/kernel/call.ts'
import { Refusal } from '#server/kernel/errors.ts'
import type { Agent } from './agent.ts'

export function viewerOf({ id, place }: Agent): Viewer {
  return {
    id,
    username: `person${place}`,
    role: 'user',
    suspended: false,
    sessionId: id,
    wroteLately: false,
  }
}

/** Returns false if the product refuses. */
export async function isDone(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
