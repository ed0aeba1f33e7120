/** Serves HTML pages: finds the visitor and the language, then renders the page or takes it from the cache. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locale } from '#contract/messages/messages.ts'
import { cookieName } from '#server/people/accounts/sessions/cookie.ts'
import type { Visitor } from '#server/people/accounts/sessions/viewer.ts'
import { addressOf } from '#server/kernel/http/address.ts'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Route } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Views } from '#server/platform/core/core.ts'
import type { Asker } from '#server/kernel/limits/queue.ts'
import { networkOf } from '#server/kernel/network.ts'
import { toRefusal } from '#server/kernel/http/http-errors.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { createPageCache, type CachedPage, type PageCache } from '#server/pages/cache/cache.ts'
import { createPageCall, createSeen } from '#server/pages/call.ts'
import { failurePage } from '#server/pages/failure.ts'
import {
  toCachedPage,
  writeCachedPage,
  writePage,
  type RenderedPage,
} from '#server/pages/cache/cached-page.ts'
import { planPage, type Plan } from '#server/pages/cache/plan.ts'
import { type Headers, headersFor, pageHeaders } from '#server/pages/policy.ts'
import type { RefusedForm } from '#contract/render.ts'
import type { Renderer } from '#server/pages/renderer.ts'
import { accentOf } from '#server/pages/looks.ts'
import { agentOf, countsView, localeOf, pageContext } from '#server/pages/request.ts'

export interface PagesNeeds {
  readonly renderer: Renderer
  readonly routes: readonly Route[]
  readonly loads: Pick<Loads, 'search' | 'render' | 'pages'>
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'MAIL_FROM' | 'SOCIAL_URL' | 'TRUST_PROXY' | 'OFFLINE_READING'> &
    Partial<Pick<Config, 'FILES_URL'>>
  readonly settings: Current<
    'ownNames' | 'logo' | 'AUTHOR_SHARE' | 'SITE_ACCENT' | 'SITE_ACCENT_DARK'
  >
  /** Origin of links and canonical URLs; https adds HSTS. */
  readonly publicUrl: string
  /** Reads the Cookie header with one query. Never rotates the session. */
  readonly visitorOf: (header: string | undefined) => Promise<Visitor | null>
  /** Counts lessons on pages that came from the cache. */
  readonly views: Views
  /** Counts requests for pages that may come from the cache. */
  readonly metrics: { readonly pageCache: { inc(page: string, result: 'hit' | 'miss'): void } }
}

export interface Pages {
  readonly cache: PageCache
  /**
   * Serves a guest's page that is the same for all guests. Returns false if the framework must handle the request.
   */
  readonly answerGuest: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Serves any other page. */
  readonly answerPage: (
    request: IncomingMessage,
    response: ServerResponse,
    refused?: RefusedForm,
    retryAfter?: number,
  ) => Promise<void>
}

/** Maximum entries, and characters of one key. */
const MOST_PLANS = 5000
const MOST_PLANNED = 1000
/** In seconds, for a page that couldn't be read from the database. */
const RETRY_AFTER = '5'

export function createPages(needs: PagesNeeds): Pages {
  const { renderer, log, publicUrl, clock, config } = needs
  const proxies = config.TRUST_PROXY
  const cache = createPageCache(() => clock.now().getTime())
  const headers = pageHeaders(renderer.inlineScripts, publicUrl, {
    pictures: config.FILES_URL,
    workshop: renderer.workshop,
  })
  const callOf = createPageCall(needs.routes, log)
  // A request without a refresh cookie comes from a guest.
  const guestCookie = new RegExp(`(?:^|;\\s*)${cookieName(publicUrl)}=[^;\\s]`)

  // Planning costs more than serving, and guests request the same few URLs in the same few languages.
  const plans = new BoundedMap<string, Plan | null>({ most: MOST_PLANS })
  function planOf(request: IncomingMessage, url: string): Plan | null {
    const { cookie = '', 'accept-language': languages = '' } = request.headers
    const asked = `${url}\n${languages}\n${cookie}`
    const known = plans.get(asked)
    if (known !== undefined) return known
    const plan = planPage(url, localeOf(request, null))
    if (asked.length < MOST_PLANNED) plans.set(asked, plan)
    return plan
  }

  interface Asked {
    readonly url: string
    readonly locale: Locale
    readonly visitor: Visitor | null
    /** What the page depends on before it is rendered. */
    readonly tags: readonly string[]
    readonly counts: boolean
    readonly signal: AbortSignal
    readonly refused?: RefusedForm | undefined
    /** In seconds. */
    readonly retryAfter?: number | undefined
  }

  async function render(request: IncomingMessage, asked: Asked): Promise<RenderedPage> {
    const { url, locale, visitor, signal } = asked
    const address = addressOf(request, proxies)
    const context = pageContext({
      request,
      viewer: visitor?.viewer ?? null,
      locale,
      address,
      countsView: asked.counts,
      signal,
    })
    const site = needs.settings.current
    const settings = {
      origin: publicUrl,
      names: site.ownNames,
      mail: config.MAIL_FROM,
      social: config.SOCIAL_URL,
      ...(config.FILES_URL !== undefined && { pictureOrigin: config.FILES_URL }),
      ...(site.logo !== null && { logo: site.logo.path }),
      ...accentOf(site),
      authorShare: site.AUTHOR_SHARE,
      offlineReading: config.OFFLINE_READING === '1',
      year: clock.now().getUTCFullYear(),
    }
    const seen = createSeen()
    const page = {
      url,
      locale,
      person: visitor?.person ?? null,
      settings,
      refused: asked.refused ?? null,
      assets: renderer.assets,
      call: callOf(context, seen),
      signal,
    }
    const { status, html, redirect, failure } = await renderer.render(page)
    if (failure !== null) log.error({ err: failure, path: pathOf(url) }, 'page failed')
    const more: Headers = {
      ...(redirect !== null && { location: redirect }),
      ...(status === 503 && { 'retry-after': RETRY_AFTER }),
      ...(asked.retryAfter !== undefined && { 'retry-after': String(asked.retryAfter) }),
    }
    return {
      status: redirect === null ? (asked.refused?.status ?? status) : status,
      html,
      headers: {
        ...headers,
        ...more,
        ...headersFor(url),
        ...languageCookie(url, locale, publicUrl),
      },
      tags: [...asked.tags, ...seen.tags],
      viewed: [...seen.viewed],
      isPersonal: visitor !== null,
    }
  }

  function fail(
    error: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    locale: Locale,
  ): void {
    if (response.headersSent) {
      response.destroy()
      return
    }
    const refusal = toRefusal(error)
    const path = pathOf(request.url ?? '/')
    if (refusal === null) log.error({ err: error, path }, 'page failed')
    // Too many requests are the caller's fault; an unavailable dependency isn't, so it is logged.
    else if (refusal !== error) log.warn({ reason: String(error), path }, 'page refused')
    const { status = 500, retryAfter } = refusal ?? {}
    const wait: Headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    response
      .writeHead(status, { ...headers, ...wait, 'cache-control': 'no-store' })
      .end(failurePage(locale, renderer.assets, refusal))
  }

  /** Makes a page when its turn has come. @throws Refusal 503 */
  function inTurn<Page>(asker: Asker, url: string, make: () => Promise<Page>): Promise<Page> {
    const queue = isSearch(url) ? needs.loads.search : needs.loads.render
    return queue.run(asker, make)
  }

  /** @throws Refusal 429, 503 */
  async function loadForGuest(request: IncomingMessage, plan: Plan): Promise<CachedPage> {
    const asker = networkOf(addressOf(request, proxies))
    const isCommon = COMMON.test(plan.url)
    if (!isCommon) needs.loads.pages.count(asker)
    const asked: Asked = {
      ...plan,
      visitor: null,
      counts: false,
      signal: new AbortController().signal,
    }
    return cache.load(plan.key, (stale) =>
      // Pages that everybody reads come before individual ones.
      inTurn(isCommon ? { known: asker } : asker, plan.url, async () =>
        toCachedPage(await render(request, asked), stale),
      ),
    )
  }

  function finish(page: CachedPage, request: IncomingMessage, response: ServerResponse): void {
    writeCachedPage(page, request, response)
    if (page.viewed.length === 0 || page.status !== 200 || !countsView(request)) return
    const guest = {
      viewer: null,
      address: addressOf(request, proxies),
      agent: agentOf(request),
    }
    for (const lessonId of page.viewed) needs.views.count(lessonId, guest)
  }

  return {
    cache,
    answerGuest: (request, response) => {
      const { workshop } = renderer
      if (workshop !== undefined) return workshop.answer(request, response)
      const { method, url = '/' } = request
      if (method !== 'GET' && method !== 'HEAD') return false
      const { cookie } = request.headers
      if (cookie !== undefined && guestCookie.test(cookie)) return false
      const plan = planOf(request, url)
      if (plan === null) return false
      const known = cache.get(plan.key)
      needs.metrics.pageCache.inc(plan.page, known === undefined ? 'miss' : 'hit')
      if (known !== undefined) {
        finish(known, request, response)
        return true
      }
      loadForGuest(request, plan)
        .then((page) => finish(page, request, response))
        .catch((error: unknown) => fail(error, request, response, plan.locale))
      return true
    },
    answerPage: async (request, response, refused, retryAfter) => {
      const url = request.url ?? '/'
      const locale = localeOf(request, new URLSearchParams(url.split('?')[1]).get('lang'))
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      try {
        const visitor = await needs.visitorOf(request.headers.cookie)
        const asker = visitor?.viewer.id ?? networkOf(addressOf(request, proxies))
        const asked: Asked = {
          url,
          locale,
          visitor,
          tags: [],
          counts: countsView(request),
          signal: gone.signal,
          refused,
          retryAfter,
        }
        needs.loads.pages.count(asker)
        const page = await inTurn(asker, url, () => render(request, asked))
        if (!gone.signal.aborted) await writePage(page, request, response)
      } catch (error) {
        if (!gone.signal.aborted) fail(error, request, response, locale)
      }
    },
  }
}

/** Matches the few pages without an item or a query, in each language. */
const COMMON = /^[^?\d]*(?:\?lang=[\w-]+)?$/
/** Each search term is a page of its own, which the cache seldom has. */
const isSearch = (url: string): boolean => /[?&]search=[^&]/.test(url)

const pathOf = (url: string): string => url.split('?')[0] ?? '/'

/** Stores the language that the URL names. */
function languageCookie(url: string, locale: Locale, publicUrl: string): Headers {
  const named = new URLSearchParams(url.split('?')[1]).get('lang')
  if (named !== locale) return {}
  const isSecure = publicUrl.startsWith('https:')
  const [name, secure] = isSecure ? ['__Host-lang', '; Secure'] : ['lang', '']
  return { 'set-cookie': `${name}=${locale}; Path=/; Max-Age=31536000; SameSite=Lax${secure}` }
}
