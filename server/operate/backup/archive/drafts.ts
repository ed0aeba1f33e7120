/**
 * An archive has a draft name until it is complete and on the disk. A draft of a killed process contains keys and
 * everything that people wrote, so the next check removes it.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '#server/kernel/config.ts'
import { hasDied } from '#server/kernel/process/running.ts'

/** Has the id and the host of its process, because those of several machines may write to one folder. */
const DRAFT = /^\..+\.unfinished-(\d+)-([\w-]+)$/
const HERE = hostname().replaceAll(/[^\w-]/g, '-')
/** In ms; a growing draft has a recent modification time. */
const A_DAY_MS = 24 * 60 * 60 * 1000

/** Returns the path under which this process writes an archive. */
export function draftOf(path: string): string {
  const name = `.${basename(path)}.unfinished-${process.pid}-${HERE}`
  return join(dirname(resolve(path)), name)
}

/** Returns the folders to which an installation writes archives without being asked. */
export function backupFolders({
  BACKUP_URL,
  DATA_DIR,
}: Pick<Config, 'BACKUP_URL' | 'DATA_DIR'>): string[] {
  const daily = BACKUP_URL !== undefined && 'folder' in BACKUP_URL ? [BACKUP_URL.folder] : []
  return [...daily, join(DATA_DIR, 'backups', 'before-migration')]
}

/** Returns paths of drafts in a folder whose process has ended; none if the folder doesn't exist. */
export async function findDeadDrafts(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const found: string[] = []
  for (const name of names) {
    const [draft, pid, host] = DRAFT.exec(name) ?? []
    if (draft === undefined) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    const isOld = mtimeMs < Date.now() - A_DAY_MS
    if (isOld || (host === HERE && hasDied(Number(pid), mtimeMs))) found.push(path)
  }
  return found
}

/** Returns how many it removed. */
export async function clearDeadDrafts(folder: string): Promise<number> {
  const drafts = await findDeadDrafts(folder)
  for (const path of drafts) await rm(path, { force: true })
  return drafts.length
}
