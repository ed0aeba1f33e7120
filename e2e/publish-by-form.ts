/** A lesson that is published in the form, as an author does. */
import { expect, type Page } from '@playwright/test'
import type { Locale } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'

/** Enough of it for a reward, and no two alike. */
const ARTICLE: Readonly<Record<Locale, string>> = {
  en: 'A splice holds because each strand goes under the one before it. Open the lay, tuck thrice, and roll it under a foot.',
  bg: 'Снадката държи, защото всяка нишка минава под предишната. Разтворете въжето, прокарайте три пъти и го отъркаляйте.',
}

interface Publishing {
  /** The button's name; that of a rewarded lesson unless given. */
  readonly button?: string
  /** What the video's id begins with; the same video is rewarded once. */
  readonly video?: string
  readonly article?: string
  readonly before?: () => Promise<void>
}

/** Fills the form of a new lesson and publishes it; ends on its page. `picture` is the path of one. */
export async function publishByForm(
  page: Page,
  picture: string,
  locale: Locale,
  { button, video = 'eyesplice', article = ARTICLE[locale], before }: Publishing = {},
): Promise<void> {
  await page.goto('/lesson/create')
  await page.locator('input[name=title]').fill('Eye splice')
  await page.locator('input[name=description]').fill('How to tuck it and when to trust it')
  await page.locator('input[name=video]').fill(`https://youtu.be/${video}${locale}`)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  const tags = page.getByPlaceholder(translate(locale, 'addTag'))
  await tags.fill('rope')
  await tags.press('Enter')
  await page.locator('.ProseMirror').click()
  await page.keyboard.type(article)
  const publishes = page.getByRole('button', {
    name: button ?? translate(locale, 'publishEarn', { reward: '100' }),
  })
  await expect(publishes).toBeEnabled()
  await before?.()
  await publishes.click()
  await expect(page).toHaveURL(/\/lesson\/details\/\d+$/)
}
