/** Pages, built files, generated art, catalogues: everything that browsers get except calls. */
import { isLocale } from '#contract/messages/messages.ts'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { avatar, cover, shelf } from '#contract/art.ts'
import { certificateArt } from '#server/items/certificates/art.ts'
import type { Core } from '#server/platform/core/core.ts'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'
import type { Forms } from '#server/kernel/http/forms.ts'
import type { Loads } from '#server/kernel/limits/loads.ts'
import { isPageAddress } from '#server/pages/address.ts'
import { registerBuiltFiles } from '#server/pages/built/built-files.ts'
import { registerFeeds } from '#server/pages/feeds/feeds.ts'
import { registerInstalling } from '#server/pages/installing/installing.ts'
import { registerLooks } from '#server/pages/looks.ts'
import { registerOffline } from '#server/pages/offline/offline.ts'
import { registerLeaving } from '#server/pages/leaving.ts'
import { followEvents } from '#server/pages/cache/cache.ts'
import { createPages, type Pages, type PagesNeeds } from '#server/pages/pages.ts'
import { registerPlainForms } from '#server/pages/plain-forms.ts'
import { commonHeaders } from '#server/pages/policy.ts'
import { registerPreviews } from '#server/pages/previews.ts'
import { registerPolicyReports } from '#server/pages/security/policy-reports.ts'
import { registerSecurityTxt } from '#server/pages/security/security-txt.ts'
import { registerSitemap } from '#server/pages/sitemap.ts'

export interface ServingPages extends Pick<
  PagesNeeds,
  'renderer' | 'routes' | 'metrics' | 'visitorOf'
> {
  readonly forms: Forms
  readonly loads: Loads
}

const FOR_EVER = 'public, max-age=31536000, immutable'
const A_DAY = 'public, max-age=86400'
/** A picture opened as a document may load and run nothing. */
const ART_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
/** Spines on a shelf that is generated from one word. */
const SHELF = [1, 2, 3, 4, 5, 6, 7]
const artists = new Map<string, (seed: string) => string>([
  ['cover', cover],
  ['avatar', avatar],
  ['certificate', certificateArt],
  ['shelf', (seed) => shelf(SHELF.map((place) => `${seed}${place}`))],
])

/**
 * Registers pages and related URLs, and makes the cache follow events. Returns the pages, some of which are
 * served before the framework.
 */
export async function registerPages(
  app: FastifyInstance,
  core: Core,
  serving: ServingPages,
): Promise<Pages> {
  const { publicUrl, db, reads, storage, events } = core
  const { renderer, loads } = serving
  const pages = createPages({ ...core, ...serving })
  followEvents(pages.cache, events)
  const safe = commonHeaders(publicUrl.startsWith('https:'))
  await registerBuiltFiles(app, { folder: renderer.folder, headers: safe })

  app.get<{ Params: { kind: string; file: string } }>('/art/:kind/:file', (request, reply) => {
    const draw = artists.get(request.params.kind)
    const seed = /^([\w.-]{1,100})\.svg$/.exec(request.params.file)?.[1]
    if (draw === undefined || seed === undefined) return reply.callNotFound()
    const policy = {
      'cache-control': FOR_EVER,
      'content-security-policy': ART_POLICY,
      // They replace missing pictures of lessons and people; pages of other clients show them too.
      'cross-origin-resource-policy': 'cross-origin',
    }
    return reply
      .headers({ ...safe, ...policy })
      .type('image/svg+xml')
      .send(draw(seed))
  })

  app.get<{ Params: { file: string } }>('/locales/:file', (request, reply) => {
    const locale = /^([\w-]+)\.json$/.exec(request.params.file)?.[1]
    if (!isLocale(locale)) return reply.callNotFound()
    const body = JSON.stringify(catalogueOf(locale))
    return reply
      .headers({ ...safe, 'cache-control': A_DAY })
      .type('application/json; charset=utf-8')
      .send(body)
  })

  const favicon = await readFile(fileURLToPath(new URL('favicon.svg', import.meta.url)))
  app.get('/favicon.svg', (_, reply) => {
    const policy = { 'cache-control': A_DAY, 'content-security-policy': ART_POLICY }
    return reply
      .headers({ ...safe, ...policy })
      .type('image/svg+xml')
      .send(favicon)
  })

  // Requested by clients that don't read the page's icon link.
  app.get('/favicon.ico', (_, reply) =>
    reply.headers({ ...safe, 'cache-control': A_DAY }).redirect('/favicon.svg', 301),
  )

  await registerInstalling(app, { ...core, headers: safe })
  registerLooks(app, { ...core, headers: safe })
  await registerOffline(app, { ...core, folder: renderer.folder, headers: safe })

  app.get('/robots.txt', (_, reply) =>
    reply
      .headers({ ...safe, 'cache-control': A_DAY })
      .type('text/plain; charset=utf-8')
      .send(robots(publicUrl)),
  )

  registerSecurityTxt(app, { ...core, headers: safe })
  await registerPolicyReports(app, core)
  registerSitemap(app, { reads, publicUrl, headers: safe })
  registerFeeds(app, { ...core, loads, headers: safe })
  registerPreviews(app, { db, storage, loads, headers: safe })
  const picture = await readFile(fileURLToPath(new URL('share.jpg', import.meta.url)))
  app.get('/share.jpg', (_, reply) =>
    reply
      .headers({ ...safe, 'cache-control': A_DAY })
      .type('image/jpeg')
      .send(picture),
  )
  registerLeaving(app)
  registerPlainForms(app, { ...serving, pages, publicUrl })

  const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // Bypasses the framework, like the pages that never reach it.
    reply.hijack()
    await pages.answerPage(request.raw, reply.raw)
  }
  // The search boxes of pages without scripts name the list in a field; each list has a URL of its own. The search
  // of everything is a page with the parameter `q`.
  app.get('/search', (request, reply) =>
    /[?&]q=/.test(request.url)
      ? answerPage(request, reply)
      : reply.redirect(searchTarget(request.url), 303),
  )

  app.get('/*', (request, reply) =>
    isPageAddress(request.url) ? answerPage(request, reply) : reply.callNotFound(),
  )
  return pages
}

function robots(publicUrl: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Allow: /api/docs',
    'Disallow: /files/resources/',
    'Disallow: /search',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** Returns the list of the chosen kind, without a query for an empty search. */
function searchTarget(url: string): string {
  const query = new URLSearchParams(url.split('?')[1])
  const list = query.get('kind') === 'course' ? '/course/all' : '/lesson/all'
  const search = (query.get('search') ?? '').trim()
  return search === '' ? list : `${list}?${new URLSearchParams({ search }).toString()}`
}
