/** Decides which pages are the same for all guests, and what they depend on. */
import { CourseQuery } from '#contract/courses.ts'
import { Paged } from '#contract/items.ts'
import { LessonQuery } from '#contract/lessons.ts'
import { knownQuery } from '#contract/query.ts'
import { type Locale, isLocale } from '#contract/messages/messages.ts'
import { certificateTag, LISTS } from '#server/pages/cache/cache.ts'

export interface Plan {
  readonly key: string
  /** The page's pattern, for metrics. */
  readonly page: string
  /** Path and query, without unknown parameters. */
  readonly url: string
  readonly locale: Locale
  /** A change of any of these drops the page. */
  readonly tags: readonly string[]
}

/** The render reveals what else a details page shows, and which lesson it views (see call.ts). */
const DETAILS =
  /^\/(lesson|course)\/details\/([1-9]\d{0,14})(?:(?<=^\/course\/details\/\d+)\/[1-9]\d{0,14})?$/
const CERTIFICATE = /^\/certificate\/([0-9a-hjkmnp-tv-z]{26})$/
const STATIC_PAGES = new Set(['/about', '/privacy-policy', '/offline'])
/** Pages that lead back to where the person was. */
const SIGN_IN_PAGES = new Set(['/login', '/register'])
/**
 * Parameters for where to go next, for an invitation, for the result of a form without scripts, and for why a provider's sign-in
 * failed.
 */
const UNCACHED_PARAMETERS = ['next', 'signed', 'reset', 'refused', 'invitation']

/** Returns null if the page isn't cached. `locale` is the one that the request would get without `?lang`. */
export function planPage(url: string, locale: Locale): Plan | null {
  const cut = url.indexOf('?')
  const path = (cut === -1 ? url : url.slice(0, cut)).toLowerCase().replace(/(?<=.)\/$/, '')
  const query = new URLSearchParams(cut === -1 ? '' : url.slice(cut + 1))
  const found = contentOf(path, query)
  if (found === null) return null
  const lang = query.get('lang')
  const named = isLocale(lang) ? lang : undefined
  const relevant = new URLSearchParams({ ...found.query, ...(named && { lang: named }) }).toString()
  const plain = relevant === '' ? path : `${path}?${relevant}`
  const language = named ?? locale
  return {
    key: `${language} ${plain}`,
    page: found.page,
    url: plain,
    locale: language,
    tags: found.tags,
  }
}

interface Content {
  readonly page: string
  readonly query: Readonly<Record<string, string>>
  readonly tags: readonly string[]
}

function contentOf(path: string, query: URLSearchParams): Content | null {
  const page = path
  if (path === '/') return { page, query: {}, tags: [LISTS] }
  if (path === '/lesson/all') return { page, query: knownQuery(LessonQuery, query), tags: [LISTS] }
  if (path === '/course/all') return { page, query: knownQuery(CourseQuery, query), tags: [LISTS] }
  // Other spellings of the same tag are other keys of the same page.
  if (/^\/tag\/[^/]+$/.test(path))
    return { page: '/tag/:tag', query: knownQuery(Paged, query), tags: [LISTS] }
  if (STATIC_PAGES.has(path)) return { page, query: {}, tags: [] }
  if (SIGN_IN_PAGES.has(path) && !UNCACHED_PARAMETERS.some((name) => query.has(name)))
    return { page, query: {}, tags: [] }
  const code = CERTIFICATE.exec(path)?.[1]
  if (code !== undefined)
    return { page: '/certificate/:code', query: {}, tags: [certificateTag(code)] }
  const [found, kind, id] = DETAILS.exec(path) ?? []
  if (found === undefined) return null
  return { page: `/${kind}/details/:id`, query: {}, tags: [`${kind}:${Number(id)}`] }
}
