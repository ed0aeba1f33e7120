/** The passphrase of archives: of the environment, or a file; never an argument, which others of the machine can read. */
import { readFile } from 'node:fs/promises'
import { BackupError } from '#server/backup/archive/format.ts'
import { SHORTEST_PASSPHRASE } from '#server/backup/archive/encryption.ts'
import type { Config } from '#server/kernel/config.ts'

/** Null where there is none. @throws BackupError for a file that can not be read, or holds too little */
export async function readPassphrase({
  BACKUP_PASSPHRASE,
  BACKUP_PASSPHRASE_FILE,
}: Pick<Config, 'BACKUP_PASSPHRASE' | 'BACKUP_PASSPHRASE_FILE'>): Promise<string | null> {
  if (BACKUP_PASSPHRASE !== undefined) return BACKUP_PASSPHRASE
  if (BACKUP_PASSPHRASE_FILE === undefined) return null
  let text: string
  try {
    text = await readFile(BACKUP_PASSPHRASE_FILE, 'utf8')
  } catch (error) {
    throw new BackupError(
      `BACKUP_PASSPHRASE_FILE (${BACKUP_PASSPHRASE_FILE}) can not be read. Set it to a file that this user may read.`,
      { cause: error },
    )
  }
  return requireLength(text.trim(), 'The passphrase in BACKUP_PASSPHRASE_FILE')
}

/** Answers a passphrase that is long enough. @throws BackupError, which names it as `what` */
export function requireLength(passphrase: string, what: string): string {
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase
  throw new BackupError(
    `${what} is too short: it needs at least ${SHORTEST_PASSPHRASE} characters.`,
  )
}
