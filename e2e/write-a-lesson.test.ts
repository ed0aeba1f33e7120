/** Tests the editor, drafts, and failing saves. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { LessonCard } from '#contract/lessons.ts'
import { startReceiver } from '#server/testing/webhooks/receiver.ts'
import {
  awake,
  expect,
  intercept,
  loseAnswer,
  stored,
  test,
  visit,
  writePicture,
} from './fixtures.ts'
import { call, drawPicture, publish, register, signIn } from './people.ts'
import { fillLesson, LAST_WORD, openOptional } from './publish-by-form.ts'
import { startServer } from './server.ts'

const titleOf = (page: Page) => page.locator('input[name=title]')
const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Article' })
const previewOf = (page: Page) => page.getByRole('img', { name: 'Your picture' })

const publishButton = (page: Page) => page.getByRole('button', { name: 'Publish and earn 100' })

test('styles combine, Tab indents, Escape and Tab leave; a dropped file is uploaded, an interrupted upload continues', async ({
  page,
  server,
}) => {
  await signIn(page, server.url, await register(server.url))
  await page.goto('/lesson/create')
  const editor = editorOf(page)
  await expect(editor.locator('[data-placeholder="Write an article..."]')).toBeVisible()
  await editor.click()
  const styles = ['Bold', 'Italic', 'Underline', 'Monospace']
  for (const name of styles) await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('toolbar').getByRole('button', { pressed: true })).toHaveCount(4)
  await page.keyboard.type('all')
  await expect(editor.locator('strong em u code')).toHaveText('all')
  for (const name of styles) await page.getByRole('button', { name, exact: true }).click()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('in')
  expect(await editor.locator('p').nth(1).textContent()).toBe('\u00a0\u00a0\u00a0\u00a0in')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Bulleted list' }).click()
  await page.keyboard.type('one')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('two')
  await expect(editor.locator('li li')).toHaveText('two')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Tab')
  await expect(editor).not.toBeFocused()

  await openOptional(page)
  await page
    .getByRole('group')
    .filter({ has: page.getByRole('button', { name: 'Choose a file' }) })
    .last()
    .evaluate((field) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(100)], 'dropped.zip', { type: 'application/zip' }))
      field.dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      )
    })
  await expect(page.getByText('uploaded', { exact: true })).toBeVisible()
  await expect(page.getByText('dropped.zip')).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()

  let pieces = 0
  // The connection is cut after the first chunk.
  await intercept(page, '**/api/upload/resource/**', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    pieces += 1
    if (pieces === 1) return route.continue()
    await page.context().setOffline(true)
    return route.abort('internetdisconnected')
  })
  const inputs = page.locator('input[type=file]')
  await inputs.nth(1).setInputFiles({
    name: 'long.zip',
    mimeType: 'application/zip',
    buffer: Buffer.alloc(9 * 1024 * 1024, 7),
  })
  await expect(
    page.getByText('Waiting for the network. The upload will continue on its own.'),
  ).toBeVisible()
  await page.unroute('**/api/upload/resource/**')
  await page.context().setOffline(false)
  await expect(page.getByText('uploaded', { exact: true })).toBeVisible({ timeout: 30_000 })
})

test('the video offers its title and picture, over nothing that was typed', async ({
  page,
}, info) => {
  const youtube = await startReceiver()
  const { origin } = new URL(youtube.url)
  const picture = await readFile(await writePicture(info.outputDir, 'frame.jpg', 648))
  youtube.answer = (response, { path }) => {
    const about = { title: 'Tie a bowline (live)', thumbnail_url: `${origin}/frame.jpg` }
    if (path === '/frame.jpg') response.end(picture)
    else if (path.includes('unknown')) response.writeHead(404).end()
    else response.end(JSON.stringify(about))
  }
  const server = await startServer({ VIDEO_CHECK_URL: youtube.url })
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await visit(page, `${server.url}/lesson/create`)
  expect(youtube.received).toEqual([])
  const video = page.locator('input[name=video]')
  const title = page.getByRole('status').getByRole('button', { name: /^Use the video’s title/ })
  const frame = page.getByRole('button', { name: 'Use the video’s picture' })
  const paper = page.getByRole('button', { name: 'Use a pattern instead' })
  await titleOf(page).fill('Mine')
  await video.fill('https://youtu.be/bowlineknot')
  await expect(frame).toBeVisible()
  await expect(title).toHaveCount(0)
  await titleOf(page).fill('')
  await expect(title).toHaveText('Use the video’s title: “Tie a bowline (live)”')
  await title.press('Enter')
  await expect(titleOf(page)).toHaveValue('Tie a bowline (live)')
  await expect(titleOf(page)).toBeFocused()
  await expect(title).toHaveCount(0)
  await frame.press('Enter')
  await expect.poll(() => widthOf(page)).toBe(648)
  await expect(paper).toBeFocused()
  await paper.press('Enter')
  await expect(previewOf(page)).toHaveCount(0)
  await expect(frame).toBeFocused()
  await frame.press('Enter')
  await expect.poll(() => widthOf(page)).toBe(648)

  await page.locator('input[name=description]').fill('What one learns in it')
  await page.getByPlaceholder('Add a tag').fill('testing,')
  await editorOf(page).click()
  await page.keyboard.insertText('Words that are enough for a lesson. '.repeat(3))
  await publishButton(page).click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
  const id = page.url().split('/').at(-1)
  const { thumbnail } = await call<LessonCard>(server.url, person, 'GET', `/lesson/${id}`)
  expect(thumbnail).toMatch(/^\/files\/pictures\//)

  // A video that YouTube doesn't know offers nothing.
  await visit(page, `${server.url}/lesson/edit/${id}`)
  await expect(frame).toBeVisible()
  await video.fill('https://youtu.be/unknownvide')
  await expect.poll(() => youtube.received.at(-1)?.path).toContain('unknownvide')
  await expect(page.getByText('YouTube doesn’t let this video be played here.')).toBeVisible()
  await expect(frame).toHaveCount(0)
  await server.stop()
  await youtube.close()
})

/** Returns the keys of stored draft pictures without their tab ids. */
async function keptPictures(page: Page): Promise<string[]> {
  const keys = await page.evaluate(async () => {
    // Opening a missing database would create it without its object store.
    const isThere = (await indexedDB.databases()).some(({ name }) => name === 'kb-drafts')
    return new Promise<IDBValidKey[]>((resolve) => {
      if (!isThere) return resolve([])
      const request = indexedDB.open('kb-drafts')
      request.onsuccess = () => {
        const keys = request.result.transaction('pictures').objectStore('pictures').getAllKeys()
        keys.onsuccess = () => {
          request.result.close()
          resolve(keys.result)
        }
      }
    })
  })
  return keys.map((key) => `${key as string}`.replace(/@.*/, ''))
}

/** The text of the draft names the picture, so both must be stored. */
const expectStored = async (page: Page, keys: readonly string[]) => {
  const words = () => page.evaluate(() => Object.values(localStorage).join())
  await expect.poll(words).toMatch(/"picture":"/)
  await expect.poll(() => keptPictures(page)).toEqual(keys)
}

const widthOf = (page: Page) =>
  previewOf(page).evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))

async function choose(page: Page, picture: string): Promise<void> {
  await awake(page)
  await page.locator('input[type=file]').first().setInputFiles(picture)
}

test('a draft comes back with its picture, which goes from the browser when it is removed, published or signed out', async ({
  page,
  server,
  context,
}, info) => {
  const person = await register(server.url)
  const key = `kb:${person.id}:draft:lesson:new`
  await signIn(page, server.url, person)
  await page.goto('/lesson/create')
  const chosen = await writePicture(info.outputDir, 'chosen.jpg', 648)
  await fillLesson(page, chosen, { title: 'Kept picture', video: 'keptpicture' })
  await expectStored(page, [key])
  await page.reload()
  await expect(titleOf(page)).toHaveValue('Kept picture')
  await expect(editorOf(page)).toContainText(LAST_WORD)
  await expect.poll(() => widthOf(page)).toBe(648)
  // Typing afterwards preserves the picture.
  await titleOf(page).fill('Kept picture twice')
  await page.reload()
  await expect(titleOf(page)).toHaveValue('Kept picture twice')
  await expect.poll(() => widthOf(page)).toBe(648)
  await publishButton(page).click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
  await expect.poll(() => keptPictures(page)).toEqual([])

  await page.goto('/lesson/create')
  const picture = await writePicture(info.outputDir)
  await titleOf(page).fill('Thrown away')
  await choose(page, picture)
  await expectStored(page, [key])
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => keptPictures(page)).toEqual([])
  await page.reload()
  await expect(titleOf(page)).toHaveValue('Thrown away')
  await expect(previewOf(page)).toHaveCount(0)
  await choose(page, picture)
  await expectStored(page, [key])
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(titleOf(page)).toHaveValue('')
  await expect(previewOf(page)).toHaveCount(0)
  await expect.poll(() => keptPictures(page)).toEqual([])

  await titleOf(page).fill('Left behind')
  await choose(page, picture)
  await expectStored(page, [key])
  const other = await context.newPage()
  await other.goto('/logout')
  await expect(other.getByRole('banner').getByRole('link', { name: 'Register' })).toBeVisible()
  await expect.poll(() => keptPictures(other)).toEqual([])
  await page.close()
  expect(await keptPictures(other)).toEqual([])
  // An interrupted sign-out may leave pictures. The next person's form deletes them.
  await other.evaluate(
    (gone) =>
      new Promise<void>((resolve) => {
        indexedDB.open('kb-drafts').onsuccess = ({ target }) => {
          if (!(target instanceof IDBOpenDBRequest)) return
          const step = target.result.transaction('pictures', 'readwrite')
          step.objectStore('pictures').put({ id: 'left' }, `kb:${gone}:draft:lesson:new`)
          step.oncomplete = () => resolve()
        }
      }),
    person.id,
  )
  await signIn(other, server.url, await register(server.url))
  await other.goto('/lesson/create')
  await expect(editorOf(other)).toBeVisible()
  await expect.poll(() => keptPictures(other)).toEqual([])
})

test('an edit restores its picture, preserves the start of its video, and reports a concurrent save', async ({
  page,
  server,
  context,
}, info) => {
  const person = await register(server.url)
  const late = { video: 'https://youtu.be/startsLater?t=1m5s' }
  const id = await publish(server.url, person, late, await drawPicture(64, 36))
  await context.route('https://www.youtube-nocookie.com/**', (route) => route.abort())
  await signIn(page, server.url, person)
  const openForm = async (tab: Page) => {
    await tab.goto(`/lesson/edit/${id}`)
    await expect(editorOf(tab)).toBeVisible()
  }
  const save = (tab: Page) => tab.getByRole('button', { name: 'Save changes' })
  const expectPlayed = async (begins: RegExp) => {
    await expect(page).toHaveURL(/\/lesson\/details\//)
    await page.getByRole('button', { name: 'Play the video' }).click()
    await expect(page.locator('iframe')).toHaveAttribute('src', begins)
  }
  await openForm(page)
  await titleOf(page).fill('Edited later')
  await choose(page, await writePicture(info.outputDir, 'first.jpg', 648))
  await expectStored(page, [`kb:${person.id}:draft:lesson:${id}`])
  const take = page.getByRole('button', { name: 'Continue with it' })
  await page.reload()
  await take.click()
  await expect(titleOf(page)).toHaveValue('Edited later')
  await expect.poll(() => widthOf(page)).toBe(648)
  // The generated cover replaces it in the draft and in the lesson.
  await page.getByRole('button', { name: 'Use a pattern instead' }).click()
  await expect(previewOf(page)).toHaveCount(0)
  await expect.poll(() => keptPictures(page)).toEqual([])
  await stored(page, '"cover":"drawn"')
  await page.reload()
  await take.click()
  await expect(previewOf(page)).toHaveCount(0)
  const video = page.locator('input[name=video]')
  await expect(video).toHaveValue('https://www.youtube.com/embed/startsLater?start=65')
  await save(page).click()
  await expectPlayed(/[?&]start=65/)
  await expect.poll(() => keptPictures(page)).toEqual([])
  const { thumbnail } = await call<LessonCard>(server.url, person, 'GET', `/lesson/${id}`)
  expect(thumbnail).toBe(`/art/cover/${id}.svg`)

  // Two tabs save one after the other.
  const other = await context.newPage()
  await openForm(page)
  await openForm(other)
  await titleOf(page).fill('First save')
  await video.fill('https://www.youtube.com/embed/startsLater')
  await save(page).click()
  await expectPlayed(/^(?!.*start=)/)
  await titleOf(other).fill('Second save')
  await save(other).click()
  await expect(other.getByRole('alert')).toContainText('Somebody saved this while you were editing')
  await expect(titleOf(other)).toHaveValue('Second save')
  await other.getByRole('button', { name: 'Save mine instead' }).click()
  await expect(other.locator('h1')).toHaveText('Second save')
})

test('without IndexedDB the form works, and a lost response creates one lesson', async ({
  page,
  server,
}, info) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('not here', 'SecurityError')
    }
  })
  await signIn(page, server.url, await register(server.url))
  await page.goto('/lesson/create')
  const picture = await writePicture(info.outputDir)
  await fillLesson(page, picture, { title: 'No database', video: 'no-database' })
  await expect(publishButton(page)).toBeEnabled()
  await page.reload()
  await expect(titleOf(page)).toHaveValue('No database')
  await expect(previewOf(page)).toHaveCount(0)
  await choose(page, picture)
  await loseAnswer(page, '/api/lesson/create')
  await publishButton(page).click()
  await expect(page.getByRole('alert')).toBeFocused()
  await publishButton(page).click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
  await visit(page, '/lesson/yours')
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(1)
})

test('an expired session is renewed in place and the form submitted', async ({
  page,
  server,
}, info) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await page.goto('/lesson/create')
  await fillLesson(page, await writePicture(info.outputDir), { video: 'longform-en' })
  // By then the browser has its own session.
  await expect(page.getByText('This lesson earns you 100 KB Points.')).toBeVisible()
  await page.context().clearCookies()
  await page.evaluate(() => {
    const stored: unknown = JSON.parse(localStorage.getItem('auth') ?? '{}')
    const past = btoa(JSON.stringify({ iat: 0, exp: 60 }))
    localStorage.setItem(
      'auth',
      JSON.stringify(Object.assign({}, stored, { accessToken: `e30.${past}.e30` })),
    )
    window.dispatchEvent(new StorageEvent('storage', { key: 'auth' }))
  })
  await publishButton(page).click()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in and continue' }).click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
  await expect(page.getByRole('article').first()).toContainText(LAST_WORD)
})
