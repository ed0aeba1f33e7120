/** A newcomer's account in the walk through the product, from its registration to its end. */
import { randomUUID } from 'node:crypto'
import { createLinkSecrets } from '#server/accounts/mails/links.ts'
import { createUnsubscribeTokens } from '#server/accounts/mails/unsubscribe.ts'
import { courseForm, lessonForm, testPicture } from '#server/testing/app.ts'
import { waitForJobs, type BenchDatabase } from './database.ts'
import { numberIn, type Stage, type Teller } from './plan-stage.ts'
import { SECRET } from './product.ts'

const BUYER = 5
const PASSWORD = 'a long secret of theirs'

/** The life of an account, from its registration to its end. */
export async function liveAsNewcomer(stage: Stage): Promise<void> {
  const { tell, database } = stage
  const form = new FormData()
  const person = { username: 'newcomer', email: 'newcomer@people.test', password: PASSWORD }
  for (const [name, value] of Object.entries(person)) form.set(name, value)
  form.set('image', await testPicture())
  const session = await tell(null, 'POST /api/identity/register', form)
  const me: Teller = {
    bearer: `Bearer ${String(session.body['accessToken'])}`,
    cookie: session.cookie,
  }
  const linkOf = await linksOf(database, String(session.body['_id']))
  await tell(me, 'POST /api/identity/email/resend')
  await tell(null, 'POST /api/identity/email/confirm', { token: await linkOf('confirm') })
  await tell(null, 'POST /api/identity/login', { ...person, password: 'not the secret' }, 401)
  const again = await tell(null, 'POST /api/identity/login', person)
  await tell({ bearer: '', cookie: again.cookie }, 'POST /api/identity/refresh')
  await tell({ bearer: '', cookie: again.cookie }, 'POST /api/identity/refresh')
  await tell(me, 'GET /api/identity/sessions')
  await tell(me, `DELETE /api/identity/sessions/${sessionIn(again.body['accessToken'])}`)
  await tell(me, 'POST /api/identity/sessions/revoke')
  for (const [field, value] of [
    ['username', 'newcomer.two'],
    ['email', 'second@people.example'],
    ['notices', 'true'],
  ]) {
    const edit = new FormData()
    edit.set(field ?? '', value ?? '')
    edit.set('password', PASSWORD)
    if (field === 'username') edit.set('image', await testPicture())
    await tell(me, 'PATCH /api/identity/update', edit)
  }
  await tell(me, 'GET /api/identity/named/newcomer')
  await tell(null, 'POST /api/identity/email/confirm', { token: await linkOf('confirm') })
  await tell(null, 'POST /api/identity/email/undo', { token: await linkOf('undo') })
  await tell(null, 'POST /api/identity/password/forgot', { email: person.email })
  await waitForJobs(database)
  const password = 'another secret of theirs'
  const token = await linkOf('reset')
  await tell(null, 'POST /api/identity/password/reset', { token, password })
  const last = await tell(null, 'POST /api/identity/login', { username: 'newcomer.two', password })
  const now: Teller = { bearer: `Bearer ${String(last.body['accessToken'])}`, cookie: last.cookie }
  const change = { password, newPassword: PASSWORD }
  await tell(now, 'POST /api/identity/password/change', change)
  await callByToken(stage, now)
  const unsubscribe = createUnsubscribeTokens([SECRET]).tokenOf(String(session.body['_id']))
  await tell(null, 'POST /api/email/unsubscribe', { token: unsubscribe })
  await sell(stage, now)
  await takeAlong(stage, now, String(session.body['_id']))
  await tell(now, 'POST /api/identity/erase', { password: PASSWORD })
  await waitForJobs(database)
  // Who is erased is no longer found by the id that they had.
  await tell(BUYER, `GET /api/message/all/${String(session.body['_id'])}`, undefined, 404)
  await tell({ bearer: '', cookie: last.cookie }, 'POST /api/identity/logout')
}

/** The id of the session that an access token belongs to. */
function sessionIn(token: unknown): string {
  const claims = Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()
  return /"sid":"([^"]+)"/.exec(claims)?.[1] ?? ''
}

/** A program calls by a token, whose use is noted, until it is revoked. */
async function callByToken({ tell }: Stage, owner: Teller): Promise<void> {
  const draft = { name: 'a program', scopes: ['read'], days: 1, password: PASSWORD }
  const made = await tell(owner, 'POST /api/identity/tokens', draft)
  const program: Teller = { bearer: `Bearer ${String(made.body['token'])}`, cookie: '' }
  await tell(program, 'GET /api/identity/points')
  await tell(owner, 'GET /api/identity/tokens')
  await tell(owner, `DELETE /api/identity/tokens/${numberIn(made, 'id')}`)
  await tell(program, 'GET /api/identity/points', undefined, 401)
}

/** The secret of the newest link of a kind, as its mail has it. */
async function linksOf({ client }: BenchDatabase, userId: string) {
  const secretOf = createLinkSecrets(SECRET)
  return async (kind: string) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from account_tokens where user_id = $1 and kind = $2 and used_at is null order by created_at desc, id desc limit 1',
      [userId, kind],
    )
    return secretOf(rows[0]?.id ?? '')
  }
}

/** The archive of a large account is made by a job, and its time ends; that of a small one is sent at once. */
async function takeAlong({ tell, database }: Stage, me: Teller, userId: string): Promise<void> {
  await tell(me, 'GET /files/exports/now')
  await database.client.query(
    `insert into uploads (id, owner_id, name, size, finished_at) values ($1, $2, 'large', 40000000, now())`,
    [randomUUID(), userId],
  )
  await tell(me, 'POST /api/identity/exports', undefined, 202)
  await waitForJobs(database)
  const { body } = await tell(me, 'GET /api/identity/exports')
  await tell(me, `GET ${String(body['url'])}`)
  // The round of jobs at the end of the walk clears one that has ended.
  await database.client.query(
    `insert into data_exports (user_id, id, state, asked_at, ends_at, expected)
     select id, id, 'failed', now(), now(), 0 from users order by id limit 1`,
  )
}

/** What somebody bought of who erases the account stays theirs. */
async function sell({ tell, database }: Stage, owner: Teller): Promise<void> {
  const lessons: number[] = []
  for (let n = 0; n < 7; n += 1) {
    const form = await lessonForm({ draftId: randomUUID() })
    lessons.push(numberIn(await tell(owner, 'POST /api/lesson/create', form), 'id'))
  }
  const form = await courseForm({ lessons: lessons.slice(0, 6), draftId: randomUUID() })
  const course = numberIn(await tell(owner, 'POST /api/course/create', form), 'id')
  await tell(BUYER, `POST /api/course/buy/${course}`)
  await tell(BUYER, `POST /api/lesson/buy/${lessons[6] ?? 0}`)
  await tell(owner, 'POST /api/message/create', { text: 'Good bye.', receiverUsername: 'person5' })
  await waitForJobs(database)
}
