/** The call of backups; what judges it stands in backup.schemas.ts. */
import type { BackupSchemas } from '#contract/backup.schemas.ts'
import { calls } from '#contract/endpoint.ts'

export const backups = calls<BackupSchemas>()({
  last: { methods: ['GET'], path: '/admin/backups', access: 'administrator', scope: 'admin' },
})
