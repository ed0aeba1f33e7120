/** Publishes a lesson through the form. */
import { expect, type Page } from '@playwright/test'
import { awake, visit } from './fixtures.ts'

interface Lesson {
  readonly title?: string
  /** Id of the video. A video is rewarded only once. */
  readonly video?: string
  /** Path of a resource to upload. */
  readonly resource?: string
}

interface Publishing extends Lesson {
  /** Name of the button. Defaults to that of a rewarded lesson. */
  readonly button?: string
  readonly before?: () => Promise<void>
  /** Opens the form by the person's own way. Defaults to its address. */
  readonly opens?: () => Promise<void>
}

let filled = 0

/** Opens the section of optional fields: opening, resource, questions. */
export const openOptional = (page: Page) => page.getByText(/^Optional: first page/).click()

/** Fills in the open form of a new lesson. `picture` is a path. The article's last word matches LAST_WORD. */
export async function fillLesson(
  page: Page,
  picture: string,
  { title = 'Eye splice', video = 'eyespliceen', resource }: Lesson,
): Promise<void> {
  await awake(page)
  await page.locator('input[name=title]').fill(title)
  await page.locator('input[name=description]').fill('How to tuck it and when to trust it')
  await page.locator('input[name=video]').fill(`https://youtu.be/${video}`)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  if (resource !== undefined) {
    await openOptional(page)
    await page.locator('input[type=file]').nth(1).setInputFiles(resource)
    await expect(page.getByText('uploaded', { exact: true })).toBeVisible()
  }
  await page.getByPlaceholder('Add a tag').fill('rope,')
  await page.getByRole('textbox', { name: 'Article' }).click()
  filled += 1
  // Long enough for a reward, and different each time.
  const words = Array.from({ length: 40 }, (_, place) => `s${filled}x${place}`)
  await page.keyboard.insertText(words.join(' '))
}

export const LAST_WORD = /s\d+x39/

/** Fills in the form of a new lesson and publishes it. Ends on its page. `picture` is a path. */
export async function publishByForm(
  page: Page,
  picture: string,
  {
    button = 'Publish and earn 100',
    before,
    opens = () => visit(page, '/lesson/create'),
    ...lesson
  }: Publishing = {},
): Promise<void> {
  await opens()
  await fillLesson(page, picture, lesson)
  const publishes = page.getByRole('button', { name: button })
  await expect(publishes).toBeEnabled()
  await before?.()
  await publishes.click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
}
