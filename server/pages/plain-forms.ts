/** Forms without scripts: each is posted to its page's own URL, as multipart/form-data with the call's fields. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accounts } from '#contract/accounts.ts'
import { courses } from '#contract/courses.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { lessons } from '#contract/lessons.ts'
import type { Problem } from '#contract/errors.ts'
import { mail } from '#contract/mail.ts'
import { trust } from '#contract/trust.ts'
import type { Locale } from '#contract/messages/messages.ts'
import { RewardCheck, WITHHELD_WORDS } from '#contract/points.ts'
import { refuseForeign } from '#server/people/accounts/sessions/origin.ts'
import type { Visitor } from '#server/people/accounts/sessions/viewer.ts'
import type { CallContext, Route } from '#server/kernel/call.ts'
import type { Forms } from '#server/kernel/http/forms.ts'
import { contextOf } from '#server/kernel/http/http.ts'
import { toProblem, toRefusal } from '#server/kernel/http/http-errors.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'
import type { Pages } from '#server/pages/pages.ts'
import type { RefusedForm } from '#contract/render.ts'
import { articleOfText } from '#server/items/lessons/article.ts'
import { localeOf } from '#server/pages/request.ts'
import { translate } from '#server/kernel/text/messages.ts'

export interface PlainFormNeeds {
  readonly pages: Pages
  readonly routes: readonly Route[]
  readonly forms: Forms
  readonly publicUrl: string
  /** Limits a person's concurrent calls. */
  readonly loads: Pick<Loads, 'calls'>
  /** Reads the Cookie header. */
  readonly visitorOf: (header: string | undefined) => Promise<Visitor | null>
}

interface PlainForm {
  /** The page's path as Fastify writes it. */
  readonly page: string
  readonly endpoint: Endpoint
  /** Called instead if the URL has this parameter. */
  readonly instead?: { readonly parameter: string; readonly endpoint: Endpoint }
  /** Fields that a refused form shows again: no passwords, no secrets. */
  readonly shownAgain: readonly string[]
  /** Makes fields of the call of what is typed without JavaScript. */
  readonly read?: (fields: Record<string, unknown>) => Record<string, unknown>
  /** Asked before: a reward that is withheld is announced once, on the form itself. */
  readonly check?: Endpoint
  /** Where the browser goes afterwards. @param url of the page */
  readonly next: (url: URL, answer: unknown) => string
}

/** Adds a parameter to the page's URL, which tells it that the form was accepted. */
const withParameter = (name: string, value: string) => (url: URL) => {
  url.searchParams.set(name, value)
  return url.pathname + url.search
}

/** Returns the login in the page's language, with a notice that the password is changed. */
function toLogin(url: URL): string {
  const query = new URLSearchParams({ reset: 'done' })
  const lang = url.searchParams.get('lang')
  if (lang !== null) query.set('lang', lang)
  return `/login?${query.toString()}`
}

const withoutParameter = (name: string) => (url: URL) => {
  url.searchParams.delete(name)
  return SAME(url)
}

/** The same page, which shows by itself what has changed. */
const SAME = (url: URL) => url.pathname + url.search

const SENT = withParameter('sent', 'yes')
const LETTER = ['senderEmail', 'topic', 'emailText']

const FORMS: readonly PlainForm[] = [
  // The page leads signed-in people to where they wanted to be. A guest who comes back has a browser that refused
  // the cookie, and gets an explanation.
  {
    page: '/login',
    endpoint: accounts.login,
    shownAgain: ['username'],
    next: withParameter('signed', 'in'),
  },
  {
    page: '/register',
    endpoint: accounts.register,
    shownAgain: ['username', 'email', 'hideEmail'],
    next: withParameter('signed', 'in'),
  },
  {
    page: '/password/forgot',
    endpoint: accounts.forgotPassword,
    shownAgain: ['email'],
    next: SENT,
  },
  {
    page: '/password/reset',
    endpoint: accounts.resetPassword,
    shownAgain: [],
    next: toLogin,
  },
  { page: '/report', endpoint: mail.send, shownAgain: LETTER, next: SENT },
  { page: '/lesson/contact/:id', endpoint: mail.send, shownAgain: LETTER, next: SENT },
  {
    page: '/lesson/create',
    endpoint: lessons.create,
    shownAgain: ['video', 'title', 'description', 'tags', 'article', 'opening', 'announced'],
    check: lessons.checkReward,
    read: ({ article }) => ({ article: typeof article === 'string' ? articleOfText(article) : '' }),
    next: (_, answer) => `/lesson/details/${lessons.create.answer.parse(answer).id}`,
  },
  {
    page: '/lesson/details/:id',
    endpoint: lessons.buy,
    instead: { parameter: 'trust', endpoint: trust.unlock },
    shownAgain: [],
    next: withoutParameter('trust'),
  },
  { page: '/course/details/:id', endpoint: courses.buy, shownAgain: [], next: SAME },
]

/** Runs the same handlers as the API. The page shows a refusal at its fields. */
export function registerPlainForms(app: FastifyInstance, needs: PlainFormNeeds): void {
  const routeOf = (endpoint: Endpoint) => {
    const found = needs.routes.find((known) => known.endpoint === endpoint)
    if (found === undefined) throw new Error(`no route for ${endpoint.path}`)
    return found
  }
  for (const { page, endpoint: usual, instead, shownAgain, read, check, next } of FORMS) {
    const entry = routeOf(usual)
    const other = instead === undefined ? entry : routeOf(instead.endpoint)
    const asking = check && routeOf(check)
    app.post(page, async (request, reply) => {
      let given: Record<string, unknown> = {}
      const url = new URL(request.url, needs.publicUrl)
      const isOther = instead !== undefined && url.searchParams.has(instead.parameter)
      const called = isOther ? other : entry
      try {
        const asked = askedByPage(request, contextOf(request, reply, null), needs.publicUrl)
        refuseForeign(asked, needs.publicUrl)
        const visitor = await needs.visitorOf(request.headers.cookie)
        const viewer = visitor?.viewer ?? null
        const context = { ...asked, viewer }
        const made = await needs.forms.use(request, called.endpoint, async (fields) => {
          given = fields
          const inPath: unknown = request.params
          const input = { ...fields, ...read?.(fields), ...Object(inPath) }
          const answer = async () => {
            if (asking !== undefined)
              await announce(() => asking.run(context, input), given['announced'])
            return called.run(context, input)
          }
          return viewer === null ? answer() : needs.loads.calls.run(viewer.id, answer)
        })
        return reply.header('cache-control', 'no-store').redirect(next(url, made), 303)
      } catch (error) {
        const locale = localeOf(request.raw, langOf(request.url))
        const values = pick(given, shownAgain)
        const refusal = toRefusal(error)
        const refused = error instanceof Announcement ? toAnnounced(error, locale, values) : null
        if (refused === null && refusal === null) request.log.error({ err: error }, 'fault')
        const shown = refused ?? toRefusedForm(toProblem(refusal, locale), values)
        reply.hijack()
        await needs.pages.answerPage(request.raw, reply.raw, shown, refusal?.retryAfter)
      }
    })
  }
}

type Values = RefusedForm['values']

function toRefusedForm({ status, title, errors = {} }: Problem, values: Values): RefusedForm {
  return {
    status,
    // As with script: the text of a field says more than the kind of refusal.
    message: Object.values(errors)[0]?.[0] ?? title,
    fields: Object.fromEntries(
      Object.entries(errors).map(([field, said]) => [field, said[0] ?? '']),
    ),
    values,
  }
}

/** Thrown instead of publishing what earns nothing, the first time. */
class Announcement extends Error {
  readonly check: RewardCheck
  constructor(check: RewardCheck) {
    super('the reward is withheld')
    this.check = check
  }
}

/** The value of the form's hidden field after it has shown this announcement. */
const nameOf = ({ rewardReason, older }: RewardCheck) => `${rewardReason} ${older?.id ?? ''}`

/** @throws Announcement unless the form has shown it already */
async function announce(ask: () => Promise<unknown>, shown: unknown): Promise<void> {
  // Invalid fields are refused by the call itself.
  const check = RewardCheck.safeParse(await ask().catch(() => null)).data
  if (check?.rewarded === false && shown !== nameOf(check)) throw new Announcement(check)
}

function toAnnounced({ check }: Announcement, locale: Locale, values: Values): RefusedForm {
  const { rewardReason, older } = check
  return {
    status: 200,
    message: rewardReason === null ? '' : translate(locale, WITHHELD_WORDS[rewardReason]),
    fields: {},
    values: { ...values, announced: nameOf(check) },
    ...(older && { older }),
  }
}

/**
 * For a same-origin form older browsers send no Origin, only the Referer. From a page with the policy no-referrer,
 * such as one with a token in its URL, browsers send the Origin `null`, and Sec-Fetch-Site, which scripts can't
 * set, says whether the page was ours.
 */
function askedByPage(
  request: FastifyRequest,
  context: CallContext,
  publicUrl: string,
): CallContext {
  const { referer, 'sec-fetch-site': site } = request.headers
  if (context.origin === 'null' && site === 'same-origin') return { ...context, origin: publicUrl }
  if (context.origin !== undefined || referer === undefined || !URL.canParse(referer))
    return context
  return { ...context, origin: new URL(referer).origin }
}

/** Returns the texts, and lists of texts, with these names, for the refused form to show again. */
function pick(given: Record<string, unknown>, names: readonly string[]): Values {
  return Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, string | string[]] =>
        (typeof entry[1] === 'string' || Array.isArray(entry[1])) && names.includes(entry[0]),
    ),
  )
}

const langOf = (url: string) => new URLSearchParams(url.split('?')[1]).get('lang')
