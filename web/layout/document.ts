import { LOCALES, type Locale, tagOf } from '#contract/messages/messages.ts'
import type { Assets } from '#contract/render.ts'
import { STALL } from '#contract/site.ts'
import { PAGE_DATA_ID, type PageData, writePageData } from '#web/core/router/page-data.ts'
import { earlyActsScript } from '#web/core/early-acts.ts'
import type { PageHead } from '#web/core/page.ts'
import { originsOf } from '#web/core/settings.ts'
import { PREVIEW, previewOf } from '#web/layout/preview.ts'
import { themeScript } from '#web/ui/theme/theme-script.ts'
import { titleFace } from '#web/ui/theme/title-face.ts'

/** The Content-Security-Policy allows these scripts by their hashes. */
export const inlineScripts: readonly string[] = [themeScript, earlyActsScript]

interface DocumentParts {
  readonly head: PageHead
  readonly brand: string
  readonly tagline: string
  readonly page: PageData
  readonly body: string
  readonly assets: Assets
  /** The page's name in the route table. */
  readonly name: string
  /** Names of the message catalogues, such as `en.readers` and `en.desk`. */
  readonly catalogues: readonly string[]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
const meta = (kind: 'name' | 'property', name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escape(content)}">`
const link = (rel: string, href: string, more = '') =>
  `<link rel="${rel}" href="${escape(href)}"${more}>`

/** Open Graph writes `en_GB`. */
const territoryOf = (locale: Locale) => tagOf(locale).replace('-', '_')

/** The order matters: what the first paint needs comes before scripts. */
export function writeDocument(parts: DocumentParts): string {
  const { page, body } = parts
  return [
    `<!doctype html><html lang="${page.locale}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    ...looks(parts),
    ...searchable(parts),
    `</head><body><div id="app">${body}</div>`,
    `<script type="application/json" id="${PAGE_DATA_ID}">${writePageData(page)}</script>`,
    ...scripts(parts),
    '</body></html>',
  ].join('')
}

/** The styles and fonts of the first paint. */
function looks({ assets, page, name }: DocumentParts): string[] {
  const own = assets.pages[name]?.styles ?? []
  const { accent, logo } = page.settings
  return [
    ...inlineScripts.map((script) => `<script>${script}</script>`),
    link('preload', titleFace(page.locale), ' as="font" type="font/woff2" crossorigin'),
    ...[...new Set([...assets.styles, ...own])].map((href) => link('stylesheet', href)),
    ...(accent === undefined ? [] : [link('stylesheet', accent)]),
    logo === undefined
      ? link('icon', '/favicon.svg', ' type="image/svg+xml"')
      : link('icon', logo, ' type="image/webp"'),
    link('manifest', `/manifest/${page.locale}.webmanifest`),
    link('apple-touch-icon', '/manifest/icon-apple-180.png'),
    '<meta name="color-scheme" content="light dark">',
    meta('name', 'theme-color', STALL),
  ]
}

/** The scripts, which load after everything that paints. */
function scripts({ assets, name, catalogues }: DocumentParts): string[] {
  const own = assets.pages[name]?.scripts ?? []
  const texts = catalogues.flatMap((catalogue) => assets.messages[catalogue] ?? [])
  return [
    ...[...new Set([...own, ...texts])].map((href) =>
      link('modulepreload', href, ' fetchpriority="low"'),
    ),
    `<script type="module" src="${assets.script}" fetchpriority="low"></script>`,
  ]
}

/** Metadata for search engines and link previews. */
function searchable({ head, brand, tagline, page }: DocumentParts): string[] {
  const { origin } = page.settings
  const path = head.canonical ?? page.url.split('?')[0] ?? '/'
  const address = (locale: string) => {
    const url = new URL(origin + path)
    url.searchParams.set('lang', locale)
    return url.href
  }
  const plain = new URL(origin + path).href
  const canonical = new URLSearchParams(page.url.split('?')[1]).has('lang')
    ? address(page.locale)
    : plain
  const description = head.description ?? tagline
  const image = new URL(previewOf(head.image), originsOf(page.settings).pictures).href
  return [
    `<title>${escape(head.title)}</title>`,
    meta('name', 'description', description),
    ...(head.hidden === true
      ? [meta('name', 'robots', 'noindex')]
      : [
          link('canonical', canonical),
          ...LOCALES.map((locale) => link('alternate', address(locale), ` hreflang="${locale}"`)),
          link('alternate', plain, ' hreflang="x-default"'),
        ]),
    ...(head.feed === undefined
      ? []
      : [
          link(
            'alternate',
            new URL(head.feed, origin).href,
            ` type="application/atom+xml" title="${escape(head.title)}"`,
          ),
        ]),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', brand),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', canonical),
    meta('property', 'og:locale', territoryOf(page.locale)),
    ...LOCALES.filter((locale) => locale !== page.locale).map((locale) =>
      meta('property', 'og:locale:alternate', territoryOf(locale)),
    ),
    meta('property', 'og:image', image),
    meta('property', 'og:image:type', PREVIEW.type),
    meta('property', 'og:image:width', `${PREVIEW.width}`),
    meta('property', 'og:image:height', `${PREVIEW.height}`),
    meta('property', 'og:image:alt', head.title),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:image', image),
    ...(head.jsonLd === undefined
      ? []
      : [
          `<script type="application/ld+json">${JSON.stringify(head.jsonLd).replaceAll('<', '\\u003c')}</script>`,
        ]),
  ]
}
