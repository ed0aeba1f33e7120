/**
 * Fills an empty embedded installation with demo content. It uses the same functions as real content, so that
 * points, pictures and rewards are real.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashPassword } from '#server/people/accounts/passwords.ts'
import { setPassword, setRole } from '#server/people/accounts/store.ts'
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import type { FillNeeds } from '#server/demo/fill.ts'

export interface DemoSignIn {
  readonly what: string
  readonly username: string
  readonly password: string
}

export interface DemoNeeds extends Omit<FillNeeds, 'passwordOf'> {
  readonly dataDir: string
  readonly secret: string
  /** The setting DEMO. */
  readonly wanted: boolean
  /** True if only this machine can connect. Otherwise the demo sign-ins are disabled. */
  readonly loopback: boolean
}

const SIGN_INS = [
  { what: 'author', username: 'leila.h' },
  { what: 'learner', username: 'elena' },
  { what: 'administrator', username: 'petar-iliev' },
] as const

/**
 * Fills an empty installation, or continues after an interrupted start, and returns the sign-ins to print.
 * Passwords are derived from the installation's secret. If the server doesn't listen on loopback, nobody can use
 * them.
 */
export async function openDemo(needs: DemoNeeds): Promise<DemoSignIn[]> {
  const { db, wanted, loopback } = needs
  const mark = join(needs.dataDir, 'demo')
  const state = await readFile(mark, 'utf8').catch(() => 'none')
  if (state === 'none') {
    const someone = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (!wanted || !loopback || someone !== undefined) return []
  }
  if (state !== 'done') {
    await mkdir(needs.dataDir, { recursive: true })
    await writeFile(mark, 'begun')
    const { fillDemo } = await import('#server/demo/fill.ts')
    await fillDemo({ ...needs, passwordOf: (username) => passwordOf(needs.secret, username) })
    await setRole(db, SIGN_INS[2].username, 'administrator')
    await writeFile(mark, 'done')
  }
  const signIns = SIGN_INS.map((entry) => ({
    ...entry,
    password: passwordOf(needs.secret, entry.username),
  }))
  for (const { username, password } of signIns) {
    // Disables the sign-in with a password that nobody knows.
    await setPassword(db, username, await hashPassword(loopback ? password : randomUUID(), 'demo'))
  }
  return loopback ? signIns : []
}

function passwordOf(secret: string, username: string): string {
  return Buffer.from(deriveKey(secret, `demo sign-in of ${username}`))
    .toString('base64url')
    .slice(0, 12)
}
