import { backups } from '#contract/backup.ts'
import { findRuns, listRuns } from '#server/operate/backup/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'

export function routes({ db, config }: Core): Route[] {
  return [
    route(backups.last, async () => {
      const [{ underWay, last, good }, runs] = await Promise.all([findRuns(db), listRuns(db)])
      return { underWay, last, good, runs, daily: config.BACKUP_URL !== undefined }
    }),
  ]
}
