/**
 * An archive has another name until it is whole and on the disk. What a killed process left under such a name holds
 * keys and all that people wrote, so it is removed as soon as somebody looks.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '#server/kernel/config.ts'
import { hasDied } from '#server/kernel/process/running.ts'

/** Processes of several machines may write to one folder. Versions before wrote no host. */
const DRAFT = /^\..+\.unfinished-(\d+)(?:-([\w-]+))?$/
const HERE = hostname().replaceAll(/[^\w-]/g, '-')
/** A draft that grows is touched all the time. */
const A_DAY_MS = 24 * 60 * 60 * 1000

/** The path under which this process writes an archive. */
export function draftOf(path: string): string {
  const name = `.${basename(path)}.unfinished-${process.pid}-${HERE}`
  return join(dirname(resolve(path)), name)
}

/** Folders in which an installation makes archives by itself. */
export function backupFolders({
  BACKUP_URL,
  DATA_DIR,
}: Pick<Config, 'BACKUP_URL' | 'DATA_DIR'>): string[] {
  const daily = BACKUP_URL !== undefined && 'folder' in BACKUP_URL ? [BACKUP_URL.folder] : []
  return [...daily, join(DATA_DIR, 'backups', 'before-migration')]
}

/** Paths of drafts in a folder that nobody goes on with; none where there is no folder. */
export async function findDeadDrafts(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const found: string[] = []
  for (const name of names) {
    const [draft, pid, host = HERE] = DRAFT.exec(name) ?? []
    if (draft === undefined) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    const isOld = mtimeMs < Date.now() - A_DAY_MS
    if (isOld || (host === HERE && hasDied(Number(pid), mtimeMs))) found.push(path)
  }
  return found
}

/** Removes them; answers how many there were. */
export async function clearDeadDrafts(folder: string): Promise<number> {
  const drafts = await findDeadDrafts(folder)
  for (const path of drafts) await rm(path, { force: true })
  return drafts.length
}
