/** Tests the main path of the product: publish, earn, lack points, earn more, unlock, use. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { balanceOf, expect, test, writePicture } from './fixtures.ts'
import { register, signIn } from './people.ts'
import { playHere } from './player.ts'
import { LAST_WORD, publishByForm } from './publish-by-form.ts'

test('a new person publishes, earns, unlocks and uses a lesson', async ({
  page: learner,
  sit,
  server,
}, info) => {
  const picture = await writePicture(info.outputDir)
  const resource = join(info.outputDir, 'template.txt')
  await writeFile(resource, 'the folding template')
  const author = await sit(await register(server.url))
  await author.goto('/lesson/create')
  const video = author.locator('input[name=video]')
  await video.fill('https://youtu.be/bowline-en_')
  await video.blur()
  await expect(video).toHaveValue('https://www.youtube.com/embed/bowline-en_')
  await expect(author.getByRole('button', { name: 'Publish and earn 100' })).toBeDisabled()
  await publishByForm(author, picture, { title: 'Bowline', video: 'bowline-en_', resource })
  await expect.poll(() => balanceOf(author)).toBe(100)
  const lesson = author.url()

  await signIn(learner, server.url, await register(server.url))
  await learner.goto(lesson)
  await expect.poll(() => balanceOf(learner)).toBe(0)
  await expect(learner.getByText('100 points short')).toBeVisible()
  const unlock = { name: 'Unlock for 100' }
  await expect(learner.getByRole('button', unlock)).toHaveCount(0)
  await publishByForm(learner, picture, {
    title: 'Clove hitch',
    video: 'clovehitch_',
    opens: () => learner.getByRole('link', { name: 'Publish a lesson and earn 100' }).click(),
  })
  await expect.poll(() => balanceOf(learner)).toBe(100)
  await learner.getByRole('link', { name: 'Back to “Bowline”' }).click()
  await expect(learner).toHaveURL(lesson)
  await learner.getByRole('button', unlock).click()
  const dialog = learner.getByRole('dialog')
  await expect(dialog).toContainText('You keep')
  await expect(dialog).toContainText('Up to 10 go to the author.')
  await dialog.getByRole('button', unlock).click()
  await expect(learner).toHaveURL(/\/lesson\/bought$/)
  await expect.poll(() => balanceOf(learner)).toBe(0)

  await author.goto('/points')
  await expect.poll(() => balanceOf(author)).toBe(110)
  const book = author.getByRole('table')
  await expect(book.getByRole('link', { name: 'Bowline' })).toHaveCount(2)
  await expect(author.getByText('you get 10% of the price, up to 1,000')).toBeVisible()

  // Video, article and resource work. Nothing is requested from other sites before play is pressed.
  const foreign: string[] = []
  learner.on('request', (request) => {
    if (request.url().startsWith('http') && !request.url().startsWith(server.url))
      foreign.push(request.url())
  })
  await learner
    .getByRole('link', { name: /Bowline/ })
    .first()
    .click()
  const article = learner.getByText(LAST_WORD)
  await expect(article).toBeVisible()
  await learner.reload()
  await expect(article).toBeVisible()
  expect(foreign).toEqual([])
  await playHere(learner)
  await learner.getByRole('button', { name: 'Play the video' }).click()
  await expect(learner.locator('iframe')).toHaveAttribute(
    'src',
    /^https:\/\/www\.youtube-nocookie\.com\/embed\//,
  )
  const downloads = learner.waitForEvent('download')
  await learner.getByText('Download').click()
  const download = await downloads
  expect(await readFile(await download.path(), 'utf8')).toBe('the folding template')
})
