import type { DemoPerson } from '#server/demo/content/types.ts'
import type { FillNeeds } from '#server/demo/fill.ts'
import { faceOf } from '#server/demo/picture-files.ts'
import { withOpenDoor } from '#server/demo/demo-settings.ts'
import { registerPerson } from '#server/people/accounts/accounts.ts'
import { noThrottle } from '#server/people/accounts/throttle.ts'
import { award } from '#server/people/points/ledger.ts'
import type { Viewer } from '#server/kernel/call.ts'

type SettlingNeeds = Pick<FillNeeds, 'db' | 'clock' | 'storePicture' | 'settings' | 'passwordOf'>

/** KB Points that everybody starts with, so that they can buy before they have taught much. */
const DEMO_WELCOME = 1000

/** Registers a person with a confirmed address and points to begin with. Idempotent. */
export async function settle(needs: SettlingNeeds, person: DemoPerson): Promise<Viewer> {
  const { db, clock } = needs
  const find = () =>
    db.selectFrom('users').select('id').where('username', '=', person.username).executeTakeFirst()
  if ((await find()) === undefined)
    await registerPerson(
      { ...needs, settings: withOpenDoor(needs.settings), throttle: noThrottle, secretOf: null },
      {
        username: person.username,
        email: person.email,
        password: needs.passwordOf(person.username),
        image: await faceOf(person),
        hideEmail: false,
      },
      {
        address: '127.0.0.1',
        agent: '',
        locale: /\p{Script=Cyrillic}/u.test(person.username) ? 'bg' : 'en',
      },
    )
  const user = await find()
  if (user === undefined) throw new Error(`${person.username} was not registered`)
  await introduce(needs, user.id, person)
  const gift = {
    userId: user.id,
    amount: DEMO_WELCOME,
    reason: 'welcome',
    at: clock.now(),
  } as const
  await db.transaction().execute((tx) => award(tx, { ...gift, occurrence: 'demo' }))
  return {
    id: user.id,
    username: person.username,
    role: 'user',
    suspended: false,
    sessionId: '',
    wroteLately: false,
  }
}

/** Also confirms the address: it never receives mail, so nobody else could. */
async function introduce(
  { db, clock }: SettlingNeeds,
  userId: string,
  { about }: DemoPerson,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_confirmed_at: clock.now(), about: about ?? null })
    .where('id', '=', userId)
    .execute()
  await db.deleteFrom('mails').where('user_id', '=', userId).execute()
}
