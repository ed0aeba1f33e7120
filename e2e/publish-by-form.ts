/** Publishes a lesson through the form. */
import { expect, type Page } from '@playwright/test'
import { visit } from './fixtures.ts'

interface Publishing {
  readonly title?: string
  /** Name of the button. Defaults to that of a rewarded lesson. */
  readonly button?: string
  /** Id of the video. A video is rewarded only once. */
  readonly video?: string
  /** Path of a resource to upload. */
  readonly resource?: string
  readonly before?: () => Promise<void>
  /** Opens the form by the person's own way. Defaults to its address. */
  readonly opens?: () => Promise<void>
}

let published = 0

/** Opens the section of optional fields: opening, resource, questions. */
export const openOptional = (page: Page) => page.getByText(/^Optional: first page/).click()

/** Fills in the form of a new lesson and publishes it. Ends on its page. `picture` is a path. */
export async function publishByForm(
  page: Page,
  picture: string,
  {
    title = 'Eye splice',
    button = 'Publish and earn 100',
    video = 'eyespliceen',
    resource,
    before,
    opens = () => visit(page, '/lesson/create'),
  }: Publishing = {},
): Promise<void> {
  await opens()
  await page.locator('input[name=title]').fill(title)
  await page.locator('input[name=description]').fill('How to tuck it and when to trust it')
  await page.locator('input[name=video]').fill(`https://youtu.be/${video}`)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  if (resource !== undefined) {
    await openOptional(page)
    await page.locator('input[type=file]').nth(1).setInputFiles(resource)
    await expect(page.getByText('uploaded', { exact: true })).toBeVisible()
  }
  await page.getByPlaceholder('Add a tag').fill('rope')
  await page.getByPlaceholder('Add a tag').press('Enter')
  await page.getByRole('textbox', { name: 'Article' }).click()
  published += 1
  // Long enough for a reward, and different each time.
  const words = Array.from({ length: 40 }, (_, place) => `s${published}x${place}`)
  await page.keyboard.insertText(words.join(' '))
  const publishes = page.getByRole('button', { name: button })
  await expect(publishes).toBeEnabled()
  await before?.()
  await publishes.click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
}
