/** Renders a page to HTML. The server imports the built file and uses no other module of web/. */
import type { I18n, Messages } from '@lingui/core'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import { LOCALES, type Locale } from '#contract/messages/messages.ts'
import type { PageRenderer, Rendered, RenderRequest } from '#contract/render.ts'
import type { SiteNames } from '#contract/site.ts'
import { ApiError } from '#web/core/api-error.ts'
import type { Api } from '#web/core/api.ts'
import { createI18n, textsOf } from '#web/core/i18n.tsx'
import { loadMessages, openMessages } from '#web/core/messages/messages.ts'
import type { PageData } from '#web/core/router/page-data.ts'
import { resolveRoutes } from '#web/core/router/resolve.ts'
import { type PageHandle, type RouteLine, sectionsOf } from '#web/core/router/route-page.ts'
import { carry } from '#web/core/router/world.ts'
import { originsOf } from '#web/core/settings.ts'
import { inlineScripts, writeDocument } from '#web/layout/document.ts'
import { Providers } from '#web/layout/Providers.tsx'
import { titleOf } from '#web/layout/DocumentHead.tsx'
import { createRoutes } from '#web/router.ts'
import { routeTable } from '#web/routes.ts'

const routes = createRoutes()
await resolveRoutes(
  routes.flatMap(({ children = [] }) => children).flatMap(({ children = [] }) => children),
)
const handler = createStaticHandler(routes)
await openMessages(['members', 'desk'])
const catalogues = new Map<Locale, Messages>(
  await Promise.all(LOCALES.map(async (locale) => [locale, await loadMessages(locale)] as const)),
)
const languages = new WeakMap<SiteNames, Map<Locale, I18n>>()

/** Creates one instance per language, because a process always passes the same settings object. */
function i18nOf(locale: Locale, names: SiteNames): I18n {
  const made = languages.get(names) ?? new Map<Locale, I18n>()
  languages.set(names, made)
  const i18n = made.get(locale) ?? createI18n(locale, catalogues.get(locale) ?? {}, names)
  made.set(locale, i18n)
  return i18n
}

/**
 * Renders one page for one request. A redirect returns its status and target without HTML. A failed page is
 * rendered as the error page, and `failure` holds the error for the log.
 */
async function render(request: RenderRequest<AbortSignal>): Promise<Rendered> {
  const { person, locale } = request
  const world = carry({
    api: createApi(request),
    locale: () => locale,
    person: () => person,
    forget: () => {},
  })
  const asked = new Request(request.settings.origin + request.url, { signal: request.signal })
  const context = await handler.query(asked, { requestContext: world })
  if (context instanceof Response)
    return {
      status: context.status,
      redirect: context.headers.get('location') ?? '/',
      html: '',
      failure: null,
    }
  const failure =
    Object.values(context.errors ?? {}).find((error) => !isRouteErrorResponse(error)) ?? null
  return { status: context.statusCode, redirect: null, html: write(context, request), failure }
}

export const renderer: PageRenderer<AbortSignal> = { inlineScripts, render }

function write(context: StaticHandlerContext, request: RenderRequest<AbortSignal>): string {
  const { settings, locale, person, assets } = request
  const i18n = i18nOf(locale, settings.names)
  const texts = textsOf(i18n)
  const router = createStaticRouter(handler.dataRoutes, context)
  const body = renderToString(
    <Providers
      i18n={i18n}
      setI18n={() => {}}
      person={person}
      settings={settings}
      refused={request.refused}
    >
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </Providers>,
  )
  const match = context.matches.at(-1)
  // Only our own route table sets handles.
  const handle = match?.route.handle as PageHandle | undefined
  const data: unknown = match && context.loaderData[match.route.id]
  const failed = context.errors !== null
  const head =
    failed || handle === undefined
      ? failedHead(context, texts.t)
      : handle.head(data, texts, originsOf(settings))
  const [, access, name, , section] = lineOf(match?.route.id)
  const pageData: PageData = {
    url: request.url,
    locale,
    person,
    settings,
    refused: request.refused,
    loaderData: context.loaderData,
    errors: plainErrors(context),
  }
  const title = titleOf(head.title, texts.t('brand'))
  return writeDocument({
    head: { ...head, title },
    brand: texts.t('brand'),
    tagline: texts.t('tagline'),
    page: pageData,
    body,
    assets,
    name,
    catalogues: ['readers', ...sectionsOf(access, section)].map((each) => `${locale}.${each}`),
  })
}

/** Returns the line of a route; if none matched, the last line, which stands for all other addresses. */
function lineOf(id: string | undefined): RouteLine {
  const line = routeTable.find(([path]) => path === id) ?? routeTable.at(-1)
  if (line === undefined) throw new RangeError('the route table is empty')
  return line
}

function failedHead(
  context: StaticHandlerContext,
  t: (key: 'notFoundTitle' | 'errorTitle') => string,
) {
  return { title: t(context.statusCode === 404 ? 'notFoundTitle' : 'errorTitle'), hidden: true }
}

/** Returns the status and the message of each error; nothing else may reach the browser. */
function plainErrors({ errors }: StaticHandlerContext): PageData['errors'] {
  if (errors === null) return null
  const plain = Object.entries(errors).map(([id, error]) =>
    isRouteErrorResponse(error)
      ? [id, { status: error.status, statusText: error.statusText, data: error.data as unknown }]
      : [id, { status: 500, statusText: '', data: {} }],
  )
  return Object.fromEntries(plain) as PageData['errors']
}

/** Answers the API calls of pages within this process. */
function createApi({ call }: RenderRequest<AbortSignal>): Api {
  return async (endpoint, input, options) => {
    const outcome = await call(endpoint, input, options?.quiet === true)
    if (!outcome.ok) throw new ApiError(outcome)
    // The server has already reduced the response to the endpoint's schema.
    return outcome.answer as never
  }
}
