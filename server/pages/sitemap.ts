/**
 * The site map for search engines: one file up to 50,000 URLs, beyond that an index of files by ranges of ids. It
 * is streamed row by row, so a million lessons need no memory.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LOCALES } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Reads } from '#server/platform/core/reads.ts'
import { notFound } from '#server/kernel/errors.ts'

export interface SitemapNeeds {
  readonly reads: Reads
  readonly publicUrl: string
  /** Headers of every response that isn't a page. */
  readonly headers: Readonly<Record<string, string>>
}

/** The protocol's maximum for one file. */
const MOST_ADDRESSES = 50_000
/** Ids in one file of the index: about 5 MB with both languages. */
const IDS_A_FILE = 10_000
/** Rows per statement. */
const BATCH = 1000
const AN_HOUR = 'public, max-age=3600'
/** Public pages without an item, except those that depend on a query. */
const STATIC_PAGES = ['/', '/about', '/privacy-policy', '/lesson/all', '/course/all', '/register']
const FILE = /^(lessons|courses)-([1-9]\d{0,6})\.xml$/
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const KINDS = ['lessons', 'courses'] as const
type Kind = (typeof KINDS)[number]

/** Registers /sitemap.xml: one list, or an index when there are more URLs than one file may have. */
export function registerSitemap(app: FastifyInstance, needs: SitemapNeeds): void {
  const send = (reply: FastifyReply, parts: AsyncIterable<string>) =>
    reply
      .headers({ ...needs.headers, 'cache-control': AN_HOUR })
      .type('application/xml; charset=utf-8')
      .send(Readable.from(parts, { objectMode: false }))

  app.get('/sitemap.xml', async (_request, reply) => {
    const db = needs.reads.of(null)
    const last = {
      lessons: await lastId(db, 'lessons'),
      courses: await lastId(db, 'courses'),
    }
    const isSmall = STATIC_PAGES.length + last.lessons + last.courses <= MOST_ADDRESSES
    return send(reply, isSmall ? writeAll(needs, last) : writeIndex(needs.publicUrl, last))
  })

  app.get('/sitemap/pages.xml', (_request, reply) => send(reply, writeSet(staticPages(needs))))

  app.get<{ Params: { file: string } }>('/sitemap/:file', (request, reply) => {
    const [, kind, number] = FILE.exec(request.params.file) ?? []
    if (number === undefined || (kind !== 'lessons' && kind !== 'courses')) throw notFound()
    const from = (Number(number) - 1) * IDS_A_FILE
    return send(reply, writeSet(items(needs, kind, from, from + IDS_A_FILE)))
  })
}

type LastIds = Readonly<Record<Kind, number>>

async function* writeIndex(publicUrl: string, last: LastIds): AsyncGenerator<string> {
  const line = (file: string) => `<sitemap><loc>${publicUrl}/sitemap/${file}.xml</loc></sitemap>`
  yield `${DECLARATION}<sitemapindex xmlns="${SCHEMA}">${line('pages')}`
  for (const kind of KINDS) {
    for (let file = 1; (file - 1) * IDS_A_FILE < last[kind]; file += 1)
      yield line(`${kind}-${file}`)
  }
  yield '</sitemapindex>'
}

async function* writeAll(needs: SitemapNeeds, last: LastIds): AsyncGenerator<string> {
  yield* writeSet(
    (async function* () {
      yield* staticPages(needs)
      for (const kind of KINDS) yield* items(needs, kind, 0, last[kind])
    })(),
  )
}

async function* writeSet(addresses: AsyncIterable<string>): AsyncGenerator<string> {
  yield `${DECLARATION}<urlset xmlns="${SCHEMA}" xmlns:xhtml="http://www.w3.org/1999/xhtml">`
  yield* addresses
  yield '</urlset>'
}

async function* staticPages({ publicUrl }: SitemapNeeds): AsyncGenerator<string> {
  yield STATIC_PAGES.map((path) => writeAddress(publicUrl + path)).join('')
}

/** Yields items with ids above `from`, up to `to`. */
async function* items(
  { reads, publicUrl }: SitemapNeeds,
  kind: Kind,
  from: number,
  to: number,
): AsyncGenerator<string> {
  const page = kind === 'lessons' ? '/lesson/details/' : '/course/details/'
  let after = from
  for (;;) {
    const rows = await listItems(reads.of(null), kind, after, to)
    yield rows.map(({ id, changed }) => writeAddress(`${publicUrl}${page}${id}`, changed)).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return
    after = last.id
  }
}

/** Writes a URL in each language. Our URLs contain no character that needs escaping. */
function writeAddress(address: string, changed?: Date): string {
  const others = LOCALES.map(
    (locale) =>
      `<xhtml:link rel="alternate" hreflang="${locale}" href="${address}?lang=${locale}"/>`,
  ).join('')
  const when = changed === undefined ? '' : `<lastmod>${changed.toISOString()}</lastmod>`
  return `<url><loc>${address}</loc>${when}${others}</url>`
}

async function lastId(db: Db, kind: Kind): Promise<number> {
  const row = await db
    .selectFrom(kind)
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

function listItems(
  db: Db,
  kind: Kind,
  after: number,
  to: number,
): Promise<readonly { readonly id: number; readonly changed: Date }[]> {
  const listed =
    kind === 'lessons'
      ? db
          .selectFrom('lessons as item')
          .innerJoin('lesson_contents as content', 'content.lesson_id', 'item.id')
      : db
          .selectFrom('courses as item')
          .innerJoin('course_contents as content', 'content.course_id', 'item.id')
  return listed
    .select((sql) => [
      'item.id',
      sql.fn.coalesce('content.edited_at', 'item.created_at').as('changed'),
    ])
    .where('item.deleted_at', 'is', null)
    .where('item.id', '>', after)
    .where('item.id', '<=', to)
    .orderBy('item.id')
    .limit(BATCH)
    .execute()
}
