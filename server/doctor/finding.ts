/** What the doctor says of one part of an installation. */

/** `note`: it works, but somebody should look at it. */
export type State = 'ok' | 'note' | 'wrong'

export interface Finding {
  /** A setting, or what it is about. */
  readonly part: string
  readonly state: State
  /** What was found; where it is not ok, what to do. It holds no secret. */
  readonly says: string
}

/** All is well. */
export const ok = (part: string, says: string): Finding => ({ part, state: 'ok', says })
/** It works, but. */
export const note = (part: string, says: string): Finding => ({ part, state: 'note', says })
/** It does not work, or will not for long. */
export const wrong = (part: string, says: string): Finding => ({ part, state: 'wrong', says })

/** Waits for an examination at most so long, whatever it waits for itself. @throws Late */
export async function inTime<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(ms)), ms)
  })
  // What it may still throw later concerns nobody.
  work.catch(() => undefined)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Thrown when an examination took too long. */
export class Late extends Error {
  constructor(ms: number) {
    super(`did not answer within ${Math.round(ms / 1000)} seconds`)
  }
}

/** What an error says, in one line. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim()
}
