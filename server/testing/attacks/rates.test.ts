/** Tests calls that have a rate limit per person. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CAPTION_LISTS_A_MINUTE, CAPTIONS_A_MINUTE } from '#contract/caption-limits.ts'
import {
  ATTEMPTS_A_MINUTE,
  CERTIFICATES_A_MINUTE,
  FOLLOWS_A_MINUTE,
  NOTES_A_MINUTE,
  REPORTS_A_MINUTE,
  REWARD_CHECKS_A_MINUTE,
  VIDEO_OFFERS_A_MINUTE,
} from '#contract/limits.ts'
import type { Answer, Person } from '#server/testing/app.ts'
import { checksOf } from '#server/testing/learning/self-checks.ts'
import { signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ RATE_LIMITS: 'on' })
const { ann, calm, zoe } = await signUpAll(app, 'ann', 'calm', 'zoe')
const lesson = await checksOf(app, () => ann).publish()

const article = `<p>${'words '.repeat(10)}</p>`
test.each<[call: string, method: string, path: string, most: number, json: unknown]>([
  ['a report of progress', 'PUT', `/progress/${lesson}`, REPORTS_A_MINUTE, { seconds: 1 }],
  ['following', 'PUT', `/follow/${zoe.session._id}`, FOLLOWS_A_MINUTE, {}],
  [
    'captions',
    'PUT',
    `/caption/${lesson}/en`,
    CAPTIONS_A_MINUTE.person,
    { text: '00:01.000 --> 00:02.000\nx' },
  ],
  [
    'a list of offered captions',
    'GET',
    `/caption/${lesson}/offers`,
    CAPTION_LISTS_A_MINUTE.person,
    undefined,
  ],
  ['a note', 'POST', `/note/create/${lesson}`, NOTES_A_MINUTE, { text: 'A note' }],
  ['a self-check', 'POST', `/check/${lesson}`, ATTEMPTS_A_MINUTE, { answers: [[1], [0, 2]] }],
  ['a certificate', 'POST', '/certificate/999999', CERTIFICATES_A_MINUTE, { name: 'Ann Smith' }],
  [
    'a question about a reward',
    'POST',
    '/lesson/rewardcheck',
    REWARD_CHECKS_A_MINUTE,
    { video: 'https://youtu.be/zzzzzzzzzzz', article },
  ],
  [
    'a question about a video',
    'GET',
    '/lesson/video?video=https://youtu.be/zzzzzzzzzzz',
    VIDEO_OFFERS_A_MINUTE.person,
    undefined,
  ],
])('%s is refused beyond the limit, only for that person', async (_, method, path, most, json) => {
  const ask = (as: Person) => app.call(method, path, { as, json })
  const answers: Answer[] = []
  // Sends many calls at once, because tokens refill in the meantime.
  while (!answers.some(({ status }) => status === 429) && answers.length < 10 * most)
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => ask(ann)))))
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(most)
  const seconds = Number(refused[0]?.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect((await ask(calm)).status).not.toBe(429)
  await sleep(seconds * 1000)
  expect((await ask(ann)).status).not.toBe(429)
})
