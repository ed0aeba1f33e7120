import { backupPlace, oneOf, passphrase, retention } from '#server/kernel/setting-kinds.ts'

/** Settings of backups. */
export const backupVariables = {
  BACKUP_URL: [
    backupPlace.optional(),
    'none, no daily backup',
    'Where a backup goes every day: a folder as in file:///srv/backups, or a bucket like that of S3_URL',
  ],
  BACKUP_KEEP: [
    retention.default('7d,4w,12m'),
    '7d,4w,12m',
    'Which of the daily backups stay: the newest of so many days, weeks and months',
  ],
  BACKUP_PASSPHRASE: [
    passphrase.optional(),
    'none, not encrypted',
    'Encrypts backups (age), and decrypts them for a restore; keep it elsewhere too',
  ],
  BACKUP_BEFORE_MIGRATION: [
    oneOf(['0', '1']).optional(),
    '1 for the embedded database, else 0',
    'A start that has to migrate the database makes a backup first: to BACKUP_URL, else below DATA_DIR',
  ],
  BACKUPS: [
    oneOf(['here', 'elsewhere']).default('here'),
    'here',
    'elsewhere: programs of your own make the backups, so nothing here warns of missing ones',
  ],
} as const
