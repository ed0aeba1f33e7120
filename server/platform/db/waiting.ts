/** When the database is unavailable or busy at the start, waits up to a minute and says why. */
import { setTimeout as sleep } from 'node:timers/promises'
import { StartFailure } from '#server/kernel/process/start-failure.ts'
import { codeOf, isAway } from '#server/kernel/process/away.ts'
import { DISK_FULL } from '#server/kernel/process/disk.ts'

export interface Waiting {
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
  /** In ms. */
  readonly patienceMs?: number
  readonly pauseMs?: number
}

const PATIENCE_MS = 60_000
const PAUSE_MS = 1000

/** By the code of a system error or an SQLSTATE. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address (connection refused)',
  ECONNRESET: 'it ended the connection',
  EPIPE: 'it ended the connection',
  ENOENT: 'nothing listens at its socket',
  ETIMEDOUT: 'it does not answer in time',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host is not known yet',
  '25006': 'its server takes no writes (it follows another one)',
  '40P01': 'it is busy (each of two transactions waited for the other)',
  '53200': 'it has no memory left',
  '53300': 'it takes no more connections (max_connections)',
  '55P03': 'another program holds a lock that the start needs',
  '57014': 'it is too busy: a statement took too long',
  '57P01': 'it is being stopped',
  '57P02': 'it is being started again after a crash',
  '57P03': 'it is starting, stopping or recovering',
}

/**
 * Repeats the work until it succeeds, for at most a minute while the database is unavailable or busy. Says each
 * new reason. @throws StartFailure after the minute; any other error at once
 */
export async function waitForDatabase<Value>(
  work: () => Promise<Value>,
  { say, patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS }: Waiting,
): Promise<Value> {
  const begun = performance.now()
  let said = ''
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const reason = whyAway(error)
      if (reason === null) throw error
      const seconds = Math.round((performance.now() - begun) / 1000)
      if (performance.now() - begun + pauseMs > patienceMs)
        throw new StartFailure(
          `The start gave up after waiting ${seconds} seconds for the database: ${reason}. Start the database, or look at what keeps it busy, then start again.`,
          { cause: error },
        )
      if (reason !== said) say(`Waiting for the database: ${reason}.`)
      said = reason
      await sleep(pauseMs)
    }
  }
}

/** Returns why the database can't be used for now, or null for a problem that waiting doesn't solve. */
export function whyAway(error: unknown): string | null {
  const code = codeOf(error)
  // A full or broken disk needs an operator.
  if (code !== undefined && (DISK_FULL.includes(code) || code.startsWith('58'))) return null
  if (code === 'ENOTFOUND' || isAway(error)) {
    const says = error instanceof Error ? error.message : String(error)
    return (
      REASONS[code ?? ''] ??
      (code === undefined ? 'it does not answer, or ended the connection' : says)
    )
  }
  return error instanceof Error && error.cause !== undefined ? whyAway(error.cause) : null
}
