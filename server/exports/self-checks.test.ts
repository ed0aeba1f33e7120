/** Self-checks in the exported page. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { readZip } from '#server/testing/exports/zip.ts'
import { checksOf } from '#server/testing/learning/self-checks.ts'

let app: TestApp
let ann: Person
let bob: Person
let checks: ReturnType<typeof checksOf>
beforeAll(async () => {
  app = await createTestApp({ WELCOME_POINTS: '1000' })
  ann = await app.signUp('ann')
  bob = await app.signUp('bob')
  checks = checksOf(app, () => ann)
})
afterAll(() => app.close())

/** The page with collapsed white space. */
async function pageOf({ cookie }: Person): Promise<string> {
  const answer = await fetch(`${app.url}/files/exports/now`, { headers: { cookie } })
  const entries = readZip(Buffer.from(await answer.arrayBuffer()))
  const page = entries.get('index.html')?.toString() ?? ''
  return page.replaceAll(/\s+/g, ' ').replaceAll(/> | </g, (cut) => cut.trim())
}

test('what an author asks is a list of questions, each with its answers and why', async () => {
  const id = await checks.publish([
    {
      text: 'Which <b> is it?',
      answers: [
        { text: 'This one', right: false },
        { text: 'That & the other', right: true },
      ],
      explanation: 'Because it always was that one',
    },
  ])
  await checks.buy(bob, id)
  await checks.take(id, [[0]], bob)
  await checks.take(id, [[0, 1]], bob)

  const hers = await pageOf(ann)
  expect(hers).toContain(
    '<ol><li>Which &lt;b&gt; is it?<ul><li>This one</li><li>That &amp; the other<b>(right)</b></li></ul><p class="text">Because it always was that one</p></li></ol>',
  )
  const his = await pageOf(bob)
  // The best attempt and the last one.
  expect(his).toContain('<ol><li>Answer 1</li></ol>')
  expect(his).toContain('<ol><li>Answer 1, Answer 2</li></ol>')
  expect(his).not.toContain('Because it always was')
  for (const page of [hers, his]) expect(page).not.toMatch(/\[\[|\{&quot;|\{"/)
})

test('in the language of the person', async () => {
  await app.app.database.pool.query(`update users set locale = 'bg' where id = $1`, [
    bob.session._id,
  ])
  expect(await pageOf(bob)).toContain('<ol><li>Отговор 1</li></ol>')
})
