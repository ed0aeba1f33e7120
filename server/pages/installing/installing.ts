/** Makes the site installable: a manifest in each language, and icons for home screens. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { LOCALES, type Locale } from '#contract/messages/messages.ts'
import { siteNameIn, STALL, type SiteNames } from '#contract/site.ts'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'

export interface InstallingNeeds {
  readonly settings: Current<'names'>
  /** Headers of every response that isn't a page. */
  readonly headers: Readonly<Record<string, string>>
}

const A_DAY = 'public, max-age=86400'
/**
 * Rendered from `icon.svg`, the two square ones from `icon-maskable.svg`, because systems crop them in different
 * shapes.
 */
const ICONS = [
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'icon-apple-180.png',
] as const
/** The background of the light theme: a manifest can have only one. */
const GROUND = '#f5f5ef'

/** The manifests and icons contain nothing personal, so shared caches may store them. */
export async function registerInstalling(
  app: FastifyInstance,
  { settings, headers }: InstallingNeeds,
): Promise<void> {
  const icons = new Map<string, Buffer>()
  for (const name of ICONS)
    icons.set(name, await readFile(fileURLToPath(new URL(name, import.meta.url))))
  app.get<{ Params: { file: string } }>('/manifest/:file', (request, reply) => {
    const { file } = request.params
    const icon = icons.get(file)
    const locale = LOCALES.find((each) => file === `${each}.webmanifest`)
    reply.headers({ ...headers, 'cache-control': A_DAY })
    if (icon !== undefined) return reply.type('image/png').send(icon)
    if (locale === undefined) return reply.callNotFound()
    return reply
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifestIn(locale, settings.current.names)))
  })
}

/** The id is the same in both languages, so that changing the language doesn't create a second application. */
function manifestIn(locale: Locale, names: SiteNames) {
  const { site, tagline } = siteNameIn(names, locale)
  const texts = catalogueOf(locale)
  return {
    id: '/',
    name: site,
    short_name: site,
    description: tagline,
    lang: locale,
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: STALL,
    background_color: GROUND,
    categories: ['education'],
    icons: [
      { src: '/manifest/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/manifest/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      {
        src: '/manifest/icon-maskable-512.png',
        sizes: '512x512',
        type: 'image/png',
        purpose: 'maskable',
      },
    ],
    shortcuts: [
      { name: texts.lessons, url: '/lesson/all' },
      { name: texts.courses, url: '/course/all' },
    ],
  }
}
