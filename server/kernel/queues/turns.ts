/** Turns in this process, taken before one of the few connections to the database is. */

/** Runs `act` when all earlier ones of the same subject are through, however they ended. */
export type InTurn = <Value>(subject: string, act: () => Promise<Value>) => Promise<Value>

/**
 * What one person does at once waits here and not for a lock of the database: there each one that waits holds a
 * connection that everybody needs. Other processes know nothing of it, so the lock stays what counts.
 */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (subject, act) => {
    const mine = (last.get(subject) ?? Promise.resolve()).then(act)
    const over = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(subject) === over) last.delete(subject)
      })
    last.set(subject, over)
    return mine
  }
}
