/** The data that the server puts into the HTML as JSON. */
import type { Locale } from '#contract/messages/messages.ts'
import type { Person, RefusedForm, Settings } from '#contract/render.ts'

interface PageError {
  readonly status: number
  readonly statusText: string
  readonly data: unknown
}

export interface PageData {
  /** The path and query that the page was rendered for, without unknown parameters. */
  readonly url: string
  readonly locale: Locale
  readonly person: Person | null
  readonly settings: Settings
  readonly refused: RefusedForm | null
  readonly loaderData: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, PageError>> | null
}

/** The id of the script element that contains the data. */
export const PAGE_DATA_ID = 'page'

/** Escapes the JSON for a script element. */
export function writePageData(data: PageData): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** Call it once, before hydration. Throws if the element contains no JSON, which means that the page is broken. */
export function readPageData(): PageData {
  // Written by writePageData of the same build.
  return JSON.parse(document.querySelector(`#${PAGE_DATA_ID}`)?.textContent ?? 'null') as PageData
}
