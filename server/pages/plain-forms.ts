/** Logging in and registering without script: the page's form is posted to the page's own address. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accounts } from '#contract/accounts.schemas.ts'
import { refuseForeign } from '#server/accounts/sessions/origin.ts'
import type { CallContext, Route } from '#server/kernel/call.ts'
import type { Forms } from '#server/kernel/http/forms.ts'
import { contextOf } from '#server/kernel/http/http.ts'
import { toProblem, toRefusal } from '#server/kernel/http/http-errors.ts'
import type { Pages } from '#server/pages/pages.ts'
import type { RefusedForm } from '#contract/render.ts'
import { localeOf } from '#server/pages/request.ts'

export interface PlainFormNeeds {
  readonly pages: Pages
  /** Every registered call. */
  readonly routes: readonly Route[]
  readonly forms: Forms
  readonly publicUrl: string
}

const PAGES = [
  ['/login', accounts.login],
  ['/register', accounts.register],
] as const

/** The same verbs as the API's calls; what they refuse is said on the page, at its fields. */
export function registerPlainForms(app: FastifyInstance, needs: PlainFormNeeds): void {
  for (const [path, endpoint] of PAGES) {
    const entry = needs.routes.find((known) => known.endpoint === endpoint)
    if (entry === undefined) throw new Error(`no route for ${path}`)
    app.post(path, async (request, reply) => {
      let given: Record<string, unknown> = {}
      try {
        const context = askedByPage(request, contextOf(request, reply, null))
        refuseForeign(context, needs.publicUrl)
        await needs.forms.use(request, endpoint, async (fields) => {
          given = fields
          return entry.run(context, fields)
        })
        return reply.header('cache-control', 'no-store').redirect(signedIn(path, request.url), 303)
      } catch (error) {
        const refusal = toRefusal(error)
        if (refusal === null) request.log.error({ err: error }, 'fault')
        const {
          status,
          title,
          errors = {},
        } = toProblem(refusal, localeOf(request.raw, langOf(request.url)))
        const refused: RefusedForm = {
          status,
          message: title,
          fields: Object.fromEntries(
            Object.entries(errors).map(([field, said]) => [field, said[0] ?? '']),
          ),
          values: readable(given),
        }
        reply.hijack()
        await needs.pages.answerPage(request.raw, reply.raw, refused, refusal?.retryAfter)
      }
    })
  }
}

/** Older browsers send no Origin with a form of the same origin, but the page's address. */
function askedByPage(request: FastifyRequest, context: CallContext): CallContext {
  const { referer } = request.headers
  if (context.origin !== undefined || referer === undefined || !URL.canParse(referer))
    return context
  return { ...context, origin: new URL(referer).origin }
}

/** What the form may show again: no password, no file. */
function readable(given: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && !/password/i.test(entry[0]),
    ),
  )
}

const langOf = (url: string) => new URLSearchParams(url.split('?')[1]).get('lang')

/**
 * Back to the page, which leads the signed-in on to where they wanted to be; who comes without the cookie that was just
 * given reads there that the browser keeps none.
 */
function signedIn(path: string, url: string): string {
  const query = new URLSearchParams(url.split('?')[1])
  query.set('signed', 'in')
  return `${path}?${query.toString()}`
}
