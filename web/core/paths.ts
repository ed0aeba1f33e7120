/** The paths of all pages. Never write them by hand elsewhere. */
import type { Role } from '#contract/accounts.ts'
import type { FigureRange } from '#contract/figures.ts'
import type { Prediction } from '#contract/comments.ts'
import type { BoughtSort, Filters, Sort, ItemLanguage } from '#contract/items.ts'
import type { Band } from '#contract/limits.ts'
import type { MailState } from '#contract/mail.ts'
import { type Locale, isLocale } from '#contract/messages/messages.ts'
import type { LogTopic } from '#contract/moderation.ts'
import { pathOf } from '#contract/next-path.ts'
import type { BandOf } from '#contract/numbers.ts'
import type { ItemKind } from '#contract/points.ts'

export interface ListQuery extends Filters, Readonly<Partial<Record<BandOf, Band | undefined>>> {
  readonly search?: string | undefined
  readonly sort?: Sort | undefined
  readonly owner?: string | undefined
  readonly page?: number | undefined
}

export interface BoughtQuery {
  readonly sort?: BoughtSort
  readonly page?: number | undefined
}

export interface PeopleQuery {
  readonly search?: string | undefined
  readonly page?: number | undefined
  /** The page number of the contacts list. */
  readonly contacts?: number | undefined
}

export interface FindQuery {
  readonly q: string
  readonly kind?: 'lesson' | 'course' | 'person' | 'tag' | undefined
  readonly tag?: string | undefined
  readonly free?: '1' | undefined
  readonly language?: ItemLanguage | undefined
  readonly page?: number | undefined
}

export interface DeskQuery {
  readonly label?: Prediction | 'NONE' | undefined
  readonly language?: Locale | undefined
  readonly search?: string | undefined
  /** Only deleted ones. */
  readonly deleted?: 'on' | undefined
  readonly page?: number | undefined
}

/** The desk's list of people. */
export interface DeskPeopleQuery {
  readonly search?: string | undefined
  readonly role?: Role | undefined
  readonly suspended?: 'on' | undefined
  readonly unconfirmed?: 'on' | undefined
  /** The id of the inviter. */
  readonly invitedBy?: string | undefined
  readonly page?: number | undefined
}

/** Reports, problems and appeals: the open ones, or those that are done. */
export interface ListedQuery {
  readonly show?: 'done' | undefined
  readonly search?: string | undefined
  readonly page?: number | undefined
}

export interface DeskLogQuery {
  readonly search?: string | undefined
  /** The id of the administrator. */
  readonly actor?: string | undefined
  readonly about?: LogTopic | undefined
  readonly page?: number | undefined
}

export interface DeskMailsQuery {
  readonly state?: MailState | undefined
  readonly search?: string | undefined
  readonly page?: number | undefined
}

type Values = Readonly<Record<string, string | number | undefined>>

/** Leaves out default values: empty, band 0, sort none, page 1. */
function withQuery(path: string, values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    const isDefault =
      value === undefined ||
      value === '' ||
      value === 0 ||
      value === 'none' ||
      ((name === 'page' || name === 'contacts') && value === 1)
    if (!isDefault) query.set(name, String(value))
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
  /** Opens the video at this second. */
  lessonAt: (id: number, second: number) => `/lesson/details/${id}#t=${second}`,
  /** The captions of a lesson: forms, and offers. */
  captions: (id: number) => `/lesson/captions/${id}`,
  /** `draft` is the key of a draft to continue with. */
  createLesson: (draft?: string) => withQuery('/lesson/create', { draft }),
  editLesson: (id: number, draft?: string) => withQuery(`/lesson/edit/${id}`, { draft }),
  boughtLessons: (query: BoughtQuery = {}) => withQuery('/lesson/bought', { ...query }),
  yourLessons: (page?: number) => withQuery('/lesson/yours', { page }),
  courses: (query: Omit<ListQuery, 'free' | 'captions' | Exclude<BandOf, BandOf<'course'>>> = {}) =>
    withQuery('/course/all', { ...query }),
  /** Without a lesson, it opens the course's first. */
  course: (id: number, lessonId?: number) =>
    lessonId === undefined ? `/course/details/${id}` : `/course/details/${id}/${lessonId}`,
  createCourse: (draft?: string) => withQuery('/course/create', { draft }),
  editCourse: (id: number, draft?: string) => withQuery(`/course/edit/${id}`, { draft }),
  boughtCourses: (query: BoughtQuery = {}) => withQuery('/course/bought', { ...query }),
  yourCourses: (page?: number) => withQuery('/course/yours', { page }),
  yourDrafts: (kind: 'lesson' | 'course') => withQuery(`/${kind}/yours`, { show: 'drafts' }),
  tag: (tag: string, page?: number) => withQuery(`/tag/${encodeURIComponent(tag)}`, { page }),
  /** Atom feeds. */
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
  /** The public page of a person. */
  by: (name: string, show: 'lessons' | 'courses' = 'lessons', page = 1) =>
    withQuery(`/by/${encodeURIComponent(name)}`, {
      show: show === 'lessons' ? undefined : show,
      page,
    }),
  profile: (id: string, show: 'lessons' | 'courses' | 'comments' = 'lessons', page = 1) =>
    withQuery(`/profile/${id}`, {
      show: show === 'lessons' ? undefined : show,
      [show]: page > 1 ? page : undefined,
    }),
  report: () => '/report',
  contact: (lessonId: number) => `/lesson/contact/${lessonId}`,
  /** `isSent` is true after the form was sent. */
  forgotPassword: (isSent = false) =>
    withQuery('/password/forgot', { sent: isSent ? 'yes' : undefined }),
  comments: (query: DeskQuery = {}) => withQuery('/comment/all', { ...query }),
  /** The desk's list of ratings. */
  ratings: (query: Omit<DeskQuery, 'language' | 'search'> = {}) =>
    withQuery('/admin/ratings', { ...query }),
  flags: (query: ListedQuery = {}) => withQuery('/admin/reports', { ...query }),
  bugs: (query: ListedQuery = {}) => withQuery('/admin/bugs', { ...query }),
  appeals: (query: ListedQuery = {}) => withQuery('/admin/appeals', { ...query }),
  appeal: (act: string) => `/appeal/${act}`,
  desk: () => '/admin',
  people: (query: DeskPeopleQuery = {}) => withQuery('/admin/people', { ...query }),
  /** `page` is that of the ledger. */
  person: (id: string, page?: number) => withQuery(`/admin/people/${id}`, { page }),
  log: (query: DeskLogQuery = {}) => withQuery('/admin/log', { ...query }),
  mails: (query: DeskMailsQuery = {}) => withQuery('/admin/mails', { ...query }),
  jobs: (page?: number) => withQuery('/admin/jobs', { page }),
  economy: () => '/admin/economy',
  audit: () => '/admin/audit',
  backups: () => '/admin/backups',
  videos: (page?: number) => withQuery('/admin/videos', { page }),
  settings: () => '/admin/settings',
  invitations: (page?: number) => withQuery('/admin/invitations', { page }),
  /** `of` shows the log of this webhook. */
  webhooks: (of?: number, page?: number) => withQuery('/admin/webhooks', { of, page }),
  login: (next?: string) => gate('/login', next),
  /** Explains on the login page why a sign-in with another provider failed. */
  refusedLogin: (why: string) => withQuery('/login', { refused: why }),
  /** Starts a sign-in with an OpenID Connect provider, which leads back to `next`. */
  provider: (id: number, next: string, invitation?: string) =>
    withQuery(`/oidc/begin/${id}`, { next: next === '/' ? undefined : next, invitation }),
  register: (next?: string) => gate('/register', next),
  logout: () => '/logout',
  account: () => '/profile/update',
  /** People without a second factor are redirected here if the site requires one. */
  setUpFactor: (next?: string) => gate('/profile/second-factor', next),
  devices: () => '/profile/sessions',
  tokens: () => '/profile/tokens',
  /** The author's desk, with 30 days unless others are named. */
  author: (days: FigureRange = '30', page?: number) =>
    withQuery('/author', { days: days === '30' ? undefined : days, page }),
  authorItem: (kind: ItemKind, id: number, days: FigureRange = '30') =>
    withQuery(`/author/${kind}/${id}`, { days: days === '30' ? undefined : days }),
  points: (show?: 'in' | 'out', page?: number) => withQuery('/points', { show, page }),
  /** Without a name, it lists the conversations. */
  chat: (receiver?: string) => withQuery('/chat', { receiver }),
  userCenter: (query: PeopleQuery = {}) => withQuery('/user-center', { ...query }),
} as const

const languageIn = (query: URLSearchParams): Locale | undefined => {
  const lang = query.get('lang')
  return isLocale(lang) ? lang : undefined
}

/** Login and registration use the language of the page that they return to. */
function gate(path: string, next: string | undefined): string {
  const lang = languageIn(new URLSearchParams(/\?([^#]*)/.exec(next ?? '')?.[1]))
  return withQuery(path, { next: next === '/' ? undefined : next, lang })
}

/** A redirect keeps the `lang` parameter of the current URL. `path` must be on this site. */
export function inLanguageOf(url: URL, path: string): string {
  const lang = languageIn(url.searchParams)
  if (lang === undefined) return path
  const target = new URL(path, url)
  target.searchParams.set('lang', lang)
  return pathOf(target)
}
