/**
 * Demo content: what an empty embedded installation shows. It goes through the verbs that everybody's content goes
 * through, so that its points, pictures and rewards are as real as any.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { knownAsker } from '#server/kernel/queues/fair-turns.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { setPassword, setRole } from '#server/accounts/store.ts'
import { deriveKey } from '#server/accounts/sessions/tokens.ts'
import type { FillNeeds } from '#server/demo/fill.ts'

export interface DemoSignIn {
  readonly what: string
  readonly username: string
  readonly password: string
}

export interface DemoNeeds extends Omit<FillNeeds, 'passwordOf'> {
  readonly dataDir: string
  readonly secret: string
  /** Demo content wanted (DEMO). */
  readonly wanted: boolean
  /** Only this machine can connect: else the demo sign-ins are off. */
  readonly loopback: boolean
}

const SIGN_INS = [
  { what: 'author', username: 'leila.h' },
  { what: 'learner', username: 'elena' },
  { what: 'administrator', username: 'petar-iliev' },
] as const

/**
 * Fills an empty installation, goes on where a broken-off start stopped, and answers the sign-ins to print.
 * Passwords derive from the installation's secret; behind another listener than loopback nobody can use them.
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
    // A password that nobody knows closes the sign-in.
    await setPassword(
      db,
      username,
      await hashPassword(loopback ? password : randomUUID(), knownAsker('demo')),
    )
  }
  return loopback ? signIns : []
}

function passwordOf(secret: string, username: string): string {
  return Buffer.from(deriveKey(secret, `demo sign-in of ${username}`))
    .toString('base64url')
    .slice(0, 12)
}
