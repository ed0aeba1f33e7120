/** Tests the judge without AI_URL. packages/opinion/tests covers the model itself. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Prediction } from '#contract/comments.ts'
import { createJudge } from '#server/people/opinion/opinion.ts'

test('without AI_URL the model of the package judges', async () => {
  const config = { AI_URL: undefined, AI_MODEL: undefined, AI_KEY: undefined }
  const judge = createJudge(config, pino({ level: 'silent' }))
  const insult = await judge('you are an idiot and nobody likes you')
  expect(insult).toMatchObject({ label: 'TOXIC', language: 'en', model: 'bazaar-1 local' })
  expect(insult.why).toContain('idiot')
  expect(await judge('Благодаря, прекрасен урок')).toMatchObject({
    label: 'POSITIVE',
    language: 'bg',
  })
  for (const text of ['', '1234567890', '👍👍👍'])
    expect(Prediction.options).toContain((await judge(text)).label)
})
