import { randomUUID } from 'node:crypto'
import type { Viewer } from '#server/kernel/call.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { TEST_SECRET, type Person, type TestApp } from '#server/testing/app.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let crowds = 0

/** Signs people up by name: `const { ann, bob } = await signUpAll(app, 'ann', 'bob')`. */
export async function signUpAll<Name extends string>(
  app: TestApp,
  ...names: readonly Name[]
): Promise<Record<Name, Person>> {
  const people: Partial<Record<Name, Person>> = {}
  for (const name of names) people[name] = await app.signUp(name)
  return people as Record<Name, Person>
}

export const viewerOf = ({ session: { _id, username } }: Person): Viewer => ({
  id: _id,
  username,
  role: 'user',
  suspended: false,
  sessionId: _id,
  wroteLately: false,
})

/**
 * Creates many signed-in people without passwords, because hashing 300 passwords takes longer than a test may.
 * They can't log in again; their access tokens last for a day.
 */
export async function addPeople(
  { app, clock }: Pick<TestApp, 'app' | 'clock'>,
  count: number,
): Promise<Person[]> {
  crowds += 1
  const { db } = app.database
  const tokens = createTokens({ secrets: [TEST_SECRET], accessMinutes: 1440, clock })
  const users = Array.from({ length: count }, (_, place) => {
    const username = `crowd${crowds}x${place}`
    const email = `${username}@people.example`
    return {
      id: randomUUID(),
      username,
      username_skeleton: username,
      username_folded: username,
      name_folded: username,
      email,
      email_folded: email,
      password_hash: 'none',
    }
  })
  await db.insertInto('users').values(users).execute()
  await db
    .insertInto('point_balances')
    .values(users.map(({ id }) => ({ user_id: id })))
    .execute()
  const sessions = users.map(({ id }) => ({
    id: randomUUID(),
    user_id: id,
    expires_at: new Date(clock.now().getTime() + DAY_MS),
  }))
  await db.insertInto('sessions').values(sessions).execute()
  return Promise.all(
    users.map(async ({ id, username, email }, place): Promise<Person> => {
      const accessToken = await tokens.signAccess(id, sessions[place]?.id ?? '')
      const face = { kbPoints: 0, role: 'user', imageUrl: `/art/avatar/${id}.svg` } as const
      return {
        session: { accessToken, _id: id, username, email, ...face },
        cookie: '',
        password: '',
      }
    }),
  )
}
