/** Explains to operators why a process couldn't start: a sentence that says what to do, without a stack. */

export class StartFailure extends Error {}

/** By the code of a system error: what is wrong and what helps. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space there, or set DATA_DIR to a folder on another disk.',
  EDQUOT: 'the disk quota is used up. Free some space, or set DATA_DIR to a folder elsewhere.',
  EACCES: 'this user may not write or read there. Give the folder to this user, or set DATA_DIR.',
  EPERM: 'this user may not do that there. Give the folder to this user, or set DATA_DIR.',
  EROFS: 'that file system can only be read. Set DATA_DIR to a folder that can be written.',
  ENOTDIR: 'a file stands where a folder is needed. Move it away, or set DATA_DIR elsewhere.',
  EEXIST: 'a file stands where a folder is needed. Move it away, or set DATA_DIR elsewhere.',
  EISDIR: 'a folder stands where a file is needed. Move it away.',
  ELOOP: 'its links lead in a circle. Mend them, or set DATA_DIR elsewhere.',
  ENAMETOOLONG: 'the path is too long. Set DATA_DIR to a shorter one.',
  EIO: 'the disk fails. Look at it, and restore a backup on another.',
  EMFILE: 'too many files are open. Raise the limit (ulimit -n).',
  ENFILE: 'too many files are open on this machine.',
}

/** Returns null for a bug, whose stack is worth more than a sentence. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof StartFailure) return error.message
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const what = ADVICE[error.code]
  // System errors name their call; a failed write names no path.
  if (what !== undefined && 'syscall' in error) {
    const place = 'path' in error && typeof error.path === 'string' ? error.path : 'DATA_DIR'
    return `The start needs ${place}, and ${what}`
  }
  return error.code === '53100'
    ? 'The disk of the database is full. Free some space there, then start again.'
    : null
}
