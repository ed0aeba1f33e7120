/** What the server's HTML tells the browser, as JSON in the page. */
import type { Locale } from '#contract/messages/messages.ts'
import type { Person, RefusedForm, Settings } from '#contract/render.ts'

interface PageError {
  readonly status: number
  readonly statusText: string
  readonly data: unknown
}

/** What a page begins with in the browser. */
export interface PageData {
  /** Path and query that the page was rendered for: unknown parameters are gone. */
  readonly url: string
  readonly locale: Locale
  readonly person: Person | null
  readonly settings: Settings
  readonly refused: RefusedForm | null
  readonly loaderData: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, PageError>> | null
}

/** Of the script element that holds it. */
export const PAGE_DATA_ID = 'page'

/** JSON that may stand in a script element. */
export function writePageData(data: PageData): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/**
 * The page's data as the server wrote it. Call it once, before hydration.
 * @throws when the element holds no JSON, which only a broken page does
 */
export function readPageData(): PageData {
  // Written by writePageData of the same build.
  return JSON.parse(document.querySelector(`#${PAGE_DATA_ID}`)?.textContent ?? 'null') as PageData
}
