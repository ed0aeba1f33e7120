/** `note` means that it works but needs attention. */
export type State = 'ok' | 'note' | 'wrong'

export interface Finding {
  /** A setting or a topic. */
  readonly part: string
  readonly state: State
  /** The finding, and how to fix it if it is not ok. Contains no secrets. */
  readonly says: string
}

export const ok = (part: string, says: string): Finding => ({ part, state: 'ok', says })
/** It works but needs attention. */
export const note = (part: string, says: string): Finding => ({ part, state: 'note', says })
/** It doesn't work, or soon won't. */
export const wrong = (part: string, says: string): Finding => ({ part, state: 'wrong', says })

/** Waits for a check up to this time. @throws Late */
export async function inTime<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(ms)), ms)
  })
  // Ignores errors after the timeout.
  work.catch(() => undefined)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Thrown when a check takes too long. */
export class Late extends Error {
  constructor(ms: number) {
    super(`did not answer within ${Math.round(ms / 1000)} seconds`)
  }
}

/** Returns an error's message on one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim()
}
