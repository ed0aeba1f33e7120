/** Every address of a page. Addresses are never typed by hand. */
import type { Prediction } from '#contract/comments.ts'
import type { BoughtSort, Sort, Tongue } from '#contract/items.ts'
import type { Band } from '#contract/limits.ts'
import type { MailState } from '#contract/mail.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { pathOf } from '#contract/next-path.ts'
import type { BandOf } from '#contract/numbers.ts'

export interface ListQuery extends Readonly<Partial<Record<BandOf, Band | undefined>>> {
  readonly search?: string | undefined
  readonly sort?: Sort | undefined
  readonly owner?: string | undefined
  /** Lessons that are open to everybody alone. */
  readonly free?: '1' | undefined
  /** Those in this language alone. */
  readonly language?: Tongue | undefined
  readonly page?: number | undefined
}

/** What one has bought. */
export interface BoughtQuery {
  readonly sort?: BoughtSort
  readonly page?: number | undefined
}

export interface PeopleQuery {
  readonly search?: string | undefined
  readonly page?: number | undefined
  /** The page of the contacts. */
  readonly contacts?: number | undefined
}

/** What the search is asked for. */
export interface FindQuery {
  readonly q: string
  readonly kind?: 'lesson' | 'course' | 'person' | 'tag' | undefined
  readonly tag?: string | undefined
  readonly free?: '1' | undefined
  /** Those in this language alone. */
  readonly language?: Tongue | undefined
  readonly page?: number | undefined
}

export interface DeskQuery {
  readonly label?: Prediction | 'NONE' | undefined
  readonly language?: 'en' | 'bg' | undefined
  readonly search?: string | undefined
  /** Those that were deleted. */
  readonly deleted?: 'on' | undefined
  readonly page?: number | undefined
}

/** Reports and problems: the open ones, or those that are dealt with. */
export interface ListedQuery {
  readonly show?: 'done' | undefined
  readonly page?: number | undefined
}

type Values = Readonly<Record<string, string | number | undefined>>

/** Leaves out what says nothing: the empty, band 0, sort none, page 1. */
function withQuery(path: string, values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    const silent =
      value === undefined ||
      value === '' ||
      value === 0 ||
      value === 'none' ||
      ((name === 'page' || name === 'contacts') && value === 1)
    if (!silent) query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

export const to = {
  home: () => '/',
  about: () => '/about',
  privacy: () => '/privacy-policy',
  lessons: (query: ListQuery = {}) => withQuery('/lesson/all', { ...query }),
  lesson: (id: number) => `/lesson/details/${id}`,
  /** Its video from this second on. */
  lessonAt: (id: number, second: number) => `/lesson/details/${id}#t=${second}`,
  createLesson: () => '/lesson/create',
  editLesson: (id: number) => `/lesson/edit/${id}`,
  boughtLessons: (query: BoughtQuery = {}) => withQuery('/lesson/bought', { ...query }),
  yourLessons: (page?: number) => withQuery('/lesson/yours', { page }),
  courses: (query: Omit<ListQuery, 'free' | Exclude<BandOf, BandOf<'course'>>> = {}) =>
    withQuery('/course/all', { ...query }),
  /** Without a lesson: the course's first. */
  course: (id: number, lessonId?: number) =>
    lessonId === undefined ? `/course/details/${id}` : `/course/details/${id}/${lessonId}`,
  createCourse: () => '/course/create',
  editCourse: (id: number) => `/course/edit/${id}`,
  boughtCourses: (query: BoughtQuery = {}) => withQuery('/course/bought', { ...query }),
  yourCourses: (page?: number) => withQuery('/course/yours', { page }),
  tag: (tag: string, page?: number) => withQuery(`/tag/${encodeURIComponent(tag)}`, { page }),
  /** What is new, for programs that read feeds. */
  feedOfLessons: (lang: Locale) => withQuery('/feeds/lessons.atom', { lang }),
  feedOfCourses: (lang: Locale) => withQuery('/feeds/courses.atom', { lang }),
  feedOfTag: (tag: string, lang: Locale) =>
    withQuery(`/feeds/tag/${encodeURIComponent(tag)}.atom`, { lang }),
  feedOfAuthor: (id: string, lang: Locale) => withQuery(`/feeds/author/${id}.atom`, { lang }),
  search: (query: FindQuery) => withQuery('/search', { ...query }),
  liked: () => '/liked',
  notes: (query: { search?: string; page?: number } = {}) => withQuery('/notes', { ...query }),
  followed: (page?: number) => withQuery('/following', { page }),
  notices: (page?: number) => withQuery('/notifications', { page }),
  noticeWays: () => '/profile/notifications',
  certificate: (code: string) => `/certificate/${code}`,
  certificates: (page?: number) => withQuery('/certificate/yours', { page }),
  profile: (id: string, show: 'lessons' | 'courses' | 'comments' = 'lessons', page = 1) =>
    withQuery(`/profile/${id}`, {
      show: show === 'lessons' ? undefined : show,
      [show]: page > 1 ? page : undefined,
    }),
  report: () => '/report',
  contact: (lessonId: number) => `/lesson/contact/${lessonId}`,
  /** `isSent`: after its form was sent. */
  forgotPassword: (isSent = false) =>
    withQuery('/password/forgot', { sent: isSent ? 'yes' : undefined }),
  comments: (query: DeskQuery = {}) => withQuery('/comment/all', { ...query }),
  /** Of the desk. */
  ratings: (query: Omit<DeskQuery, 'language' | 'search'> = {}) =>
    withQuery('/admin/ratings', { ...query }),
  flags: (query: ListedQuery = {}) => withQuery('/admin/reports', { ...query }),
  bugs: (query: ListedQuery = {}) => withQuery('/admin/bugs', { ...query }),
  log: (page?: number) => withQuery('/admin/log', { page }),
  mails: (state?: MailState, page?: number) => withQuery('/admin/mails', { state, page }),
  jobs: (page?: number) => withQuery('/admin/jobs', { page }),
  audit: () => '/admin/audit',
  backups: () => '/admin/backups',
  /** `of`: with the log of this one. */
  webhooks: (of?: number, page?: number) => withQuery('/admin/webhooks', { of, page }),
  login: (next?: string) => gate('/login', next),
  /** After a sign-in by another site came to nothing; the login says why by this word. */
  refusedLogin: (why: string) => withQuery('/login', { refused: why }),
  /** Out to another site by which people sign in, and back. */
  provider: (id: number, next: string) =>
    withQuery(`/oidc/begin/${id}`, { next: next === '/' ? undefined : next }),
  register: (next?: string) => gate('/register', next),
  logout: () => '/logout',
  account: () => '/profile/update',
  /** Where everybody must have a second factor, who has none is led there. */
  setUpFactor: (next?: string) => gate('/profile/second-factor', next),
  devices: () => '/profile/sessions',
  tokens: () => '/profile/tokens',
  points: (show?: 'in' | 'out', page?: number) => withQuery('/points', { show, page }),
  /** Without a name: whom one has talked with. */
  chat: (receiver?: string) => withQuery('/chat', { receiver }),
  userCenter: (query: PeopleQuery = {}) => withQuery('/user-center', { ...query }),
} as const

const languageIn = (query: URLSearchParams): 'en' | 'bg' | undefined => {
  const lang = query.get('lang')
  return lang === 'en' || lang === 'bg' ? lang : undefined
}

/** The gates speak the language of the address that they lead back to. */
function gate(path: string, next: string | undefined): string {
  const lang = languageIn(new URLSearchParams(/\?([^#]*)/.exec(next ?? '')?.[1]))
  return withQuery(path, { next: next === '/' ? undefined : next, lang })
}

/** Where an address leads on to keeps its language, if it named one. @param path of ours */
export function inLanguageOf(url: URL, path: string): string {
  const lang = languageIn(url.searchParams)
  if (lang === undefined) return path
  const target = new URL(path, url)
  target.searchParams.set('lang', lang)
  return pathOf(target)
}
