/**
 * What people do with the product beside the sample calls: each step once, in an order in which it succeeds. With it
 * every statement of the product is sent to the seeded database whose plans are judged.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashAccessToken, newAccessToken } from '#server/accounts/access-tokens/token.ts'
import { courseForm, lessonForm, testPicture } from '#server/testing/app.ts'
import { waitForJobs } from './database.ts'
import { liveAsNewcomer } from './plan-account.ts'
import { certify } from './plan-certificates.ts'
import { askAndTake } from './plan-checks.ts'
import { learn } from './plan-learning.ts'
import { readLists } from './plan-lists.ts'
import { rate } from './plan-ratings.ts'
import { beginWebhooks, endWebhooks } from './plan-webhooks.ts'
import { numberIn, type Stage } from './plan-stage.ts'

const AUTHOR = 3
const BUYER = 5
const ADMINISTRATOR = 11
/** Sessions of open connections are looked for every three seconds. */
const LOOKED_FOR_MS = 3500

/** Does all of it; what failed is noted by `tell`. */
export async function tellStory(stage: Stage): Promise<void> {
  await readLists(stage, { author: AUTHOR, buyer: BUYER, administrator: ADMINISTRATOR })
  const webhook = await beginWebhooks(stage, ADMINISTRATOR)
  await publish(stage)
  await discuss(stage)
  await report(stage)
  await chat(stage)
  await talk(stage)
  await liveAsNewcomer(stage)
  await keepJobsAndMails(stage)
  await endWebhooks(stage, ADMINISTRATOR, webhook)
  await remove(stage)
}

/** Lessons and a course with pictures and a resource, edited, bought, liked. */
async function publish(stage: Stage): Promise<void> {
  const { tell, database, origin, idOf } = stage
  const file = new FormData()
  file.set('file', new File(['what belongs to it'], 'notes.txt', { type: 'text/plain' }))
  const upload = await tell(AUTHOR, 'POST /api/upload/resource', file)
  const spare = new FormData()
  spare.set('file', new File(['what nobody uses'], 'spare.txt', { type: 'text/plain' }))
  await tell(AUTHOR, 'POST /api/upload/resource', spare)
  await database.client.query(
    `update uploads set created_at = created_at - interval '2 days' where name = 'spare.txt'`,
  )
  const empty = new FormData()
  empty.set('file', new File([], 'empty.txt', { type: 'text/plain' }))
  await tell(AUTHOR, 'POST /api/upload/resource', empty, 400)
  const made: number[] = []
  for (let n = 0; n < 7; n += 1) {
    // As somebody copies it out of a browser.
    const resources = n === 0 ? origin + String(upload.body['url']) : ''
    const form = await lessonForm({ draftId: randomUUID(), resources, tags: 'learning,testing' })
    made.push(numberIn(await tell(AUTHOR, 'POST /api/lesson/create', form), 'id'))
    // A lost answer.
    if (n === 0) await tell(AUTHOR, 'POST /api/lesson/create', form)
  }
  const [first = 0, , , , , , last = 0] = made
  await tell(AUTHOR, `GET ${String(upload.body['url'])}`)
  const article = `<p>${'Something else, and more of it. '.repeat(12)}</p>`
  const video = 'https://www.youtube.com/watch?v=somethingXY'
  await tell(AUTHOR, 'POST /api/lesson/rewardcheck', { video, article })
  const change = new FormData()
  for (const [name, value] of Object.entries({
    title: 'Other words',
    tags: 'other',
    resources: '',
  }))
    change.set(name, value)
  change.set('article', article)
  change.set('image', await testPicture())
  await tell(AUTHOR, `PATCH /api/lesson/${first}`, change)
  const byOther = new FormData()
  byOther.set('title', 'Better words')
  byOther.set('reason', 'These are the better words.')
  await tell(ADMINISTRATOR, `PATCH /api/lesson/${first}`, byOther)
  const lessons = made.slice(0, 6)
  await tell(AUTHOR, 'POST /api/course/rewardcheck', { lessons })
  const form = await courseForm({ lessons, freePreview: first, draftId: randomUUID() })
  const course = numberIn(await tell(AUTHOR, 'POST /api/course/create', form), 'id')
  const next = new FormData()
  next.set('title', 'Another course')
  for (const id of [...lessons.slice(1), last]) next.append('lessons', String(id))
  await tell(AUTHOR, `PATCH /api/course/${course}`, next)
  await database.client.query(
    `update point_balances set net = 100000 where user_id in (select id from users where username in ('person5', 'person6', 'person9'))`,
  )
  for (const buyer of [BUYER, 6]) {
    await tell(buyer, `POST /api/lesson/buy/${first}`)
    await tell(buyer, `POST /api/course/buy/${course}`)
    await tell(buyer, `POST /api/lesson/buy/${first}`, undefined, 409)
    await tell(buyer, `POST /api/course/buy/${course}`, undefined, 409)
    await tell(buyer, `POST /api/course/like/${course}`)
    await tell(buyer, `GET /api/course/${course}`)
    await learn(tell, buyer, [first, last])
    const author = `/api/follow/${idOf(AUTHOR)}`
    for (const method of ['PUT', 'GET', 'DELETE', 'PUT']) await tell(buyer, `${method} ${author}`)
    await tell(buyer, 'GET /api/follow/all')
    await tell(buyer, 'GET /api/home/stall')
    await tell(buyer, `GET /api/lesson/${last}`)
    await tell(buyer, `GET /api/lesson/recommended?lesson=${last}`)
    await tell(null, `GET /api/lesson/also/${last}`)
  }
  await waitForJobs(database)
  await askAndTake(stage, { author: AUTHOR, buyer: BUYER, lesson: first })
  await certify(stage, course, [...lessons.slice(1), last])
  await rate(stage, { lesson: first, course, part: last })
  // A lesson that goes takes its share of the course with it; then the course goes.
  await tell(AUTHOR, `GET /api/lesson/removal/${last}`)
  await tell(AUTHOR, `DELETE /api/lesson/${last}`)
  await tell(AUTHOR, `GET /api/course/removal/${course}`)
  await tell(AUTHOR, `DELETE /api/course/${course}`)
  await tell(9, `POST /api/lesson/buy/${first}`)
}

/** Comments: written twice, judged again, deleted and brought back. */
async function discuss({ tell, lessons, database }: Stage): Promise<void> {
  const lesson = Math.floor(lessons / 2)
  const draftId = randomUUID()
  const words = { text: 'What I have to say about it.', draftId }
  const comment = numberIn(
    await tell(ADMINISTRATOR, `POST /api/comment/create/${lesson}`, words),
    'id',
  )
  await tell(ADMINISTRATOR, `POST /api/comment/create/${lesson}`, words)
  await tell(ADMINISTRATOR, `GET /api/comment/lesson/${lesson}?before=${comment}`)
  await tell(ADMINISTRATOR, `GET /api/comment/lesson/${lesson}?after=${comment}`)
  await tell(ADMINISTRATOR, `GET /api/comment/changes/${lesson}?after=${comment}`)
  await tell(ADMINISTRATOR, `GET /api/comment/changes/${lesson}?since=${Date.now() - 60_000}`)
  const answer = { text: 'And what I answer to that.', replyTo: comment }
  await tell(ADMINISTRATOR, `POST /api/comment/create/${lesson}`, answer)
  await tell(ADMINISTRATOR, `PUT /api/comment/edit/${comment}`, { text: 'Now in better words.' })
  await tell(ADMINISTRATOR, `PUT /api/comment/edit/${comment}`, { text: 'Now in better words.' })
  await waitForJobs(database)
  await tell(ADMINISTRATOR, `POST /api/comment/judge/${comment}`)
  await tell(ADMINISTRATOR, `DELETE /api/comment/delete/${comment}`)
  await tell(ADMINISTRATOR, 'POST /api/comment/delete', { ids: [10, 11, 12] })
  await tell(ADMINISTRATOR, 'GET /api/comment/browse?deleted=true')
  await tell(ADMINISTRATOR, 'POST /api/comment/restore/10')
  await tell(ADMINISTRATOR, 'POST /api/comment/restore', { ids: [11, 12, 20] })
  await database.client.query('update comments set text_folded = null where id in (30, 31)')
}

/** What readers report, and what comes of it. */
async function report({ tell, idOf, lessons, database }: Stage): Promise<void> {
  const { rows } = await database.client.query<{ id: number }>(
    'select id::int from messages where receiver_id = $1 limit 1',
    [idOf(BUYER)],
  )
  const subjects = [
    ['lesson', Math.floor(lessons / 2)],
    ['course', 1],
    ['comment', 20],
    ['message', rows[0]?.id ?? 0],
    ['profile', idOf(AUTHOR)],
  ]
  for (const [kind, id] of subjects)
    await tell(BUYER, 'POST /api/flag', { kind, id, text: 'Somebody should look at this.' })
  await tell(6, 'POST /api/flag', { kind: 'course', id: 1, text: 'I think so too, look at it.' })
  await tell(ADMINISTRATOR, 'GET /api/admin/flags')
  await tell(ADMINISTRATOR, 'POST /api/admin/flags/1', { closed: true })
  await tell(ADMINISTRATOR, 'POST /api/admin/flags/1', { closed: false })
  const reason = 'This is not what people come here for.'
  await tell(ADMINISTRATOR, `POST /api/admin/suspend/${idOf(12)}`, { reason })
  await tell(12, 'POST /api/comment/create/1', { text: 'What I have to say about it.' }, 403)
  await tell(ADMINISTRATOR, `POST /api/admin/unsuspend/${idOf(12)}`, { reason })
  await tell(ADMINISTRATOR, `POST /api/admin/sign-out/${idOf(12)}`, { reason })
  const letter = { topic: 'A question', emailText: 'How long does it take to learn that?' }
  const senderEmail = 'person5@people.example'
  await tell(null, 'POST /api/email/send', { ...letter, senderEmail, kind: 'report' })
  await tell(BUYER, 'POST /api/email/send', { ...letter, senderEmail, kind: 'report' })
  await tell(BUYER, 'POST /api/email/send', { ...letter, senderEmail, lessonId: 2 })
  const ownerEmail = 'person3@people.example'
  await tell(BUYER, 'POST /api/email/send', { ...letter, senderEmail, ownerEmail, kind: 'contact' })
  await tell(ADMINISTRATOR, 'POST /api/admin/bugs/1', { done: true })
  await tell(ADMINISTRATOR, 'GET /api/admin/log')
}

/** Two who talk, and one who will not hear it. */
async function chat({ tell, idOf }: Stage): Promise<void> {
  const words = { text: 'Good morning to you.', receiverUsername: 'person6' }
  const draftId = randomUUID()
  await tell(BUYER, 'POST /api/message/create', { ...words, draftId })
  await tell(BUYER, 'POST /api/message/create', { ...words, draftId })
  await tell(6, 'GET /api/message/all/person5?before=1000')
  await tell(6, 'GET /api/message/all/person5?after=1000')
  await tell(6, 'POST /api/message/read/person5')
  await tell(6, 'GET /api/message/contacts?page=2')
  await tell(6, `POST /api/identity/block/${idOf(BUYER)}`)
  await tell(BUYER, 'POST /api/message/create', { ...words, draftId: randomUUID() }, 403)
  await tell(6, `DELETE /api/identity/block/${idOf(BUYER)}`)
}

/** Half a minute's talk over the hub: who is connected hears at once, and is looked for every three seconds. */
async function talk({ tell, database, origin, signIn, idOf }: Stage): Promise<void> {
  const { bearer } = await signIn(6)
  const socket = await openSocket(origin, bearer.replace('Bearer ', ''))
  const program = newAccessToken()
  await database.client.query(
    `insert into access_tokens (user_id, name, hash, scopes, created_at, expires_at)
     values ($1, 'a program', $2, '{chat}', now(), now() + interval '1 day')`,
    [idOf(6), hashAccessToken(program)],
  )
  const programs = await openSocket(origin, program)
  const say = (message: unknown) => socket.send(toRecord(message))
  say({ type: 1, invocationId: '1', target: 'Subscribe', arguments: ['person6'] })
  const words = ['person5', 'Good evening to you.', '']
  say({ type: 1, invocationId: '2', target: 'SendMessageToGroup', arguments: words })
  const receiverUsername = 'person6'
  const answer = { text: 'And to you as well.', receiverUsername, draftId: randomUUID() }
  await tell(BUYER, 'POST /api/message/create', answer)
  // Clients of the hub store what they said by a call as well.
  const same = { text: 'Good evening to you.', receiverUsername: 'person5' }
  await tell(6, 'POST /api/message/create', same)
  await sleep(LOOKED_FOR_MS)
  await waitForJobs(database)
  socket.close()
  programs.close()
}

const toRecord = (message: unknown) => `${JSON.stringify(message)}\u001E`

/** A connection to the hub that has said in which protocol it speaks. */
async function openSocket(origin: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}/chatHub?access_token=${encodeURIComponent(token)}`,
  )
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  socket.send(toRecord({ protocol: 'json', version: 1 }))
  return socket
}

/** What administrators do about jobs and mails that failed. */
async function keepJobsAndMails({ tell, database }: Stage): Promise<void> {
  await waitForJobs(database)
  await tell(ADMINISTRATOR, 'GET /api/admin/mails')
  // The addresses of the market are never mailed.
  await database.client.query(`update mails set state = 'failed' where id in (1, 2)`)
  await tell(ADMINISTRATOR, 'POST /api/admin/mails/retry', { ids: [1] })
  await tell(ADMINISTRATOR, 'POST /api/admin/mails/drop', { ids: [2] })
  await tell(ADMINISTRATOR, 'GET /api/admin/jobs')
  await tell(ADMINISTRATOR, 'POST /api/admin/jobs/retry', { ids: [1] })
  await tell(ADMINISTRATOR, 'POST /api/admin/jobs/drop', { ids: [1] })
}

/** A lesson that half of the people bought goes, with more refunds than one transaction holds, and its author. */
async function remove({ tell, database }: Stage): Promise<void> {
  const reason = 'It is not what it says it is.'
  await tell(ADMINISTRATOR, 'GET /api/lesson/removal/1')
  await tell(ADMINISTRATOR, 'DELETE /api/lesson/1', { reason })
  await tell(ADMINISTRATOR, 'GET /api/course/removal/40')
  await tell(ADMINISTRATOR, 'DELETE /api/course/40', { reason })
  // As an earlier version left them: due, and without an owner.
  await database.client.query(
    `update pictures set look_at = now() - interval '1 minute', owner_id = null`,
  )
  // The jobs that run every minute are asked for at once.
  await database.client.query(
    `select graphile_worker.add_job(name, '{}') from unnest($1::text[]) name`,
    [RECURRING],
  )
  await waitForJobs(database)
}

const RECURRING = [
  'continueRemovals',
  'clearUnattached',
  'clearDrafts',
  'clearSettled',
  'sweepPictures',
  'clearSignIns',
  'sweepComments',
  'sweepRatings',
  'rankItems',
  'clearLetterAttempts',
  'queueWaitingMails',
  'forgetMails',
  'clearExports',
  'clearWebhooks',
]
