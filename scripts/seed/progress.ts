/** Reports rows per second and the remaining time for each table. */
import type { Progress } from '#scripts/seed/fill.ts'

/** Minimum interval of lines in ms, apart from the last line of each table. */
const QUIET_MS = 2000

/** Returns a listener for progress that passes lines to `say`. */
export function createProgress(say: (line: string) => void): (progress: Progress) => void {
  let table = ''
  let beganAt = 0
  let printedAt = 0
  let reportedAt = performance.now()
  return (progress) => {
    const now = performance.now()
    const isNew = progress.table !== table
    if (isNew) {
      table = progress.table
      // Progress is first reported after the first batch, which started when the previous table ended.
      beganAt = reportedAt
    }
    reportedAt = now
    const isDone = progress.rows >= progress.count
    if (!isNew && !isDone && now - printedAt < QUIET_MS) return
    printedAt = now
    say(describe(progress, (now - beganAt) / 1000))
  }
}

function describe({ table, rows, count }: Progress, seconds: number): string {
  if (rows === 0) return `${table} …`
  const rate = rows / Math.max(seconds, 0.001)
  const share = Math.floor((rows / count) * 100)
  const rest = rows >= count ? 'done' : `${timeOf((count - rows) / rate)} left`
  return `${table}: ${numberOf(rows)} of ${numberOf(count)} (${share} %), ${numberOf(rate)} a second, ${rest}`
}

const numberOf = (value: number) => Math.round(value).toLocaleString('en')

function timeOf(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
