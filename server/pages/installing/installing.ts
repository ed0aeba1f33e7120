/** Makes the site installable: a manifest in each language, and icons for home screens. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { catalogues } from '#contract/messages/catalogues.ts'
import { LOCALES, type Locale } from '#contract/messages/messages.ts'
import { STALL } from '#contract/site.ts'
import type { Config } from '#server/kernel/config.ts'
import { siteNames } from '#server/kernel/site.ts'

export interface InstallingNeeds {
  readonly config: Config
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
  { config, headers }: InstallingNeeds,
): Promise<void> {
  const files = new Map<string, { readonly type: string; readonly body: string | Buffer }>()
  for (const locale of LOCALES)
    files.set(`${locale}.webmanifest`, {
      type: 'application/manifest+json; charset=utf-8',
      body: JSON.stringify(manifestIn(locale, config)),
    })
  for (const name of ICONS) {
    const body = await readFile(fileURLToPath(new URL(name, import.meta.url)))
    files.set(name, { type: 'image/png', body })
  }
  app.get<{ Params: { file: string } }>('/manifest/:file', (request, reply) => {
    const file = files.get(request.params.file)
    if (file === undefined) return reply.callNotFound()
    return reply
      .headers({ ...headers, 'cache-control': A_DAY })
      .type(file.type)
      .send(file.body)
  })
}

/** The id is the same in both languages, so that changing the language doesn't create a second application. */
function manifestIn(locale: Locale, config: Config) {
  const { site, tagline } = siteNames(config)[locale]
  const texts = catalogues[locale]
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
