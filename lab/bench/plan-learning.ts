/** What a person does with what they have: a part of the story whose plans are judged. */
import { randomUUID } from 'node:crypto'
import { numberIn, type Stage } from './plan-stage.ts'

/** How far somebody is in what they unlocked, what they note beside it, and what they were told of. */
export async function learn(
  tell: Stage['tell'],
  buyer: number,
  [first, last]: readonly number[],
): Promise<void> {
  await tell(buyer, `PUT /api/progress/${first}`, { seconds: 20, length: 600 })
  await tell(buyer, `PUT /api/progress/${first}`, { seconds: 590, length: 600, done: false })
  await tell(buyer, `GET /api/progress?lesson=${first}&lesson=${last}`)
  await tell(buyer, 'GET /api/progress/continue')
  const draft = { text: 'What I want to find again', second: 135, draftId: randomUUID() }
  const note = numberIn(await tell(buyer, `POST /api/note/create/${first}`, draft), 'id')
  await tell(buyer, `POST /api/note/create/${first}`, draft)
  await tell(buyer, `PUT /api/note/${note}`, { text: 'What I will find again' })
  await tell(buyer, `GET /api/note/lesson/${first}`)
  await tell(buyer, 'GET /api/note/all?search=again')
  await tell(buyer, 'GET /api/note/all')
  await tell(buyer, `DELETE /api/note/${note}`)
  await tell(buyer, 'GET /api/notice/all')
  await tell(buyer, 'GET /api/notice/count')
  await tell(buyer, 'PUT /api/notice/read', { ids: [1] })
  await tell(buyer, 'PUT /api/notice/read', {})
  await tell(buyer, 'GET /api/notice/settings')
  const choices = [{ kind: 'liked', shown: true, mail: 'once' }]
  await tell(buyer, 'PUT /api/notice/settings', { choices, zone: 'Europe/Sofia' })
  await tell(buyer, 'GET /api/lesson/bought?sort=opened')
  await tell(buyer, 'GET /api/course/bought?sort=opened')
}
