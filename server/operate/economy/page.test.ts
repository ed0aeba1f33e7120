import { expect, test } from 'vitest'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({}, await loadSourceRenderer())
const admin = await app.signUp('admin')

const query = (text: string) => app.app.database.pool.query(text)
await query(`update users set role = 'administrator' where username = 'admin'`)

async function read(language: 'en' | 'bg'): Promise<string> {
  const headers = { cookie: admin.cookie, 'accept-language': language }
  const answer = await fetch(`${app.url}/admin/economy`, { headers })
  expect(answer.status).toBe(200)
  const html = await answer.text()
  return html
    .replaceAll(/<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

/** Replaces all days by 90 that are alike. */
const count = (amounts: unknown, withheld: unknown, gini: number) =>
  query(`delete from economy_days; insert into economy_days
    select current_date - place, 12000, 0, '${JSON.stringify(amounts)}', 9, '${JSON.stringify(withheld)}', 3, 2, 4, 3,
      6.5, ${gini}, 0.2
    from generate_series(1, 90) place`)

test('a new site has no figures yet', async () => {
  expect(await read('en')).toContain('No day has been counted yet')
})

test('healthy figures have no advice', async () => {
  await count({ created: 100, bought: -100, share: 10 }, { sameVideo: 1 }, 0.8)
  const english = await read('en')
  for (const text of [
    'People have 12,000 points. In the last 90 days, 9,000 were made and 8,100 were spent.',
    'Newcomers who unlock something 75% Healthy',
    'Time to the first unlock 6.5 days Healthy',
    'Points that are spent again 90% Healthy',
    'Rewards that are withheld 10% Healthy',
    'How unevenly points are spread 80% Healthy',
    'Points of the richest 1% 20% Healthy',
    'Video used before 90',
    'No account stands out.',
  ])
    expect(english).toContain(text)
  expect(english).not.toContain('DAILY_REWARD_LIMIT')
  expect(await read('bg')).toContain('Време до първото отключване 6,5 дни Здравословно')
})

test('a figure outside its range gives advice', async () => {
  await count({ created: 100, bought: -59 }, { sameVideo: 2 }, 0.81)
  const english = await read('en')
  for (const text of [
    'Points that are spent again 59% Too low',
    'so they lose their worth',
    'Rewards that are withheld 18% Too high',
    'somebody may be trying to earn with copies',
    'Few people hold most of the points',
  ])
    expect(english).toContain(text)
  await count({ created: 100, bought: -111 }, {}, 0.8)
  expect(await read('en')).toContain('so they get scarce')
})

test('unusual accounts are listed with what they do', async () => {
  await query(
    `insert into unusual_accounts select id, 'withheld', 7 from users where username = 'admin'`,
  )
  expect(await read('en')).toContain('Got no reward for 7 lessons and courses')
})
