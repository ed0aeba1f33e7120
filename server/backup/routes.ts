/** The last backups, for administrators. */
import { backups } from '#contract/backup.schemas.ts'
import { findRuns } from '#server/backup/store.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/kernel/core.ts'

/** The call of backups. */
export function routes({ db, config }: Core): Route[] {
  return [
    route(backups.last, async () => {
      const { underWay, last, good } = await findRuns(db)
      return { underWay, last, good, daily: config.BACKUP_URL !== undefined }
    }),
  ]
}
