/** The figures as a CSV file: a line for each item and day. */
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  figures,
  FIGURES_A_MINUTE,
  figuresUrl,
  RANGES,
  SUMS,
  type FigureRange,
  type Sums,
} from '#contract/figures.ts'
import type { Scope } from '#contract/endpoint.ts'
import { addDays } from '#server/items/figures/counting.ts'
import { findPeriod, type Period } from '#server/items/figures/reading.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { notFound, unauthorized } from '#server/kernel/errors.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import type { Core } from '#server/platform/core/core.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { attachment } from '#server/platform/files/names.ts'

interface CsvNeeds extends Pick<Core, 'reads' | 'config'> {
  /** Uses the bearer token or else the refresh cookie, because a browser's download sends no token. */
  viewerOf(request: FastifyRequest, scope: Scope | null): Promise<Viewer | null>
}

/** Days that are read at once. */
const DAYS_AT_ONCE = 7
/** The words of the API, the same in every language. `converted` only serves the conversion. */
const COUNTED = SUMS.filter((name) => name !== 'converted')

export function registerFigures(app: FastifyInstance, needs: CsvNeeds): void {
  const own = createRate(FIGURES_A_MINUTE.person, needs.config)
  const all = createRate(FIGURES_A_MINUTE.all, needs.config)
  app.route<{ Params: { file: string } }>({
    method: 'GET',
    exposeHeadRoute: false,
    url: '/files/figures/:file',
    handler: async (request, reply) => {
      const viewer = await needs.viewerOf(request, figures.show.scope)
      if (viewer === null) throw unauthorized()
      const range = RANGES.find((days) => figuresUrl(days).endsWith(`/${request.params.file}`))
      if (range === undefined) throw notFound()
      own.count(viewer.id)
      all.count('all')
      reply.headers({
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': attachment(`figures-${range}.csv`),
      })
      return reply.send(Readable.from(writeCsv(needs.reads.of(viewer), viewer.id, range)))
    },
  })
}

interface Row extends Sums {
  readonly day: string
  readonly kind: string
  readonly id: number
  readonly title: string
}

async function* writeCsv(db: Db, ownerId: string, range: FigureRange): AsyncGenerator<string> {
  // Without the mark, spreadsheets read another encoding than UTF-8.
  yield `\uFEFF${['day', 'kind', 'id', 'title', ...COUNTED].join(',')}\r\n`
  const period = await findPeriod(db, range)
  if (period === null) return
  for (let from = period.from; from <= period.to; from = addDays(from, DAYS_AT_ONCE)) {
    const end = addDays(from, DAYS_AT_ONCE - 1)
    const rows = await listRows(db, ownerId, { from, to: end < period.to ? end : period.to })
    const lines = rows.map(({ day, kind, id, title, ...sums }) =>
      [day, kind, id, quoted(title), ...COUNTED.map((name) => sums[name])].join(','),
    )
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
  }
}

/** Quotes a title. Spreadsheets would run one that begins like a formula, so it gets an apostrophe before it. */
const quoted = (title: string) =>
  `"${(/^[=+\-@\t]/.test(title) ? `'${title}` : title).replaceAll('"', '""')}"`

async function listRows(db: Db, ownerId: string, { from, to }: Period): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select to_char(d.day, 'YYYY-MM-DD') as day, d.item_kind as kind, d.item_id as id,
      coalesce(lc.title, cc.title, '') as title, ${sql.join(SUMS.map((name) => sql.ref(`d.${name}`)))}
    from item_days d
    left join lesson_contents lc on d.item_kind = 'lesson' and lc.lesson_id = d.item_id
    left join course_contents cc on d.item_kind = 'course' and cc.course_id = d.item_id
    where d.owner_id = ${ownerId} and d.day >= ${from}::date and d.day <= ${to}::date
    order by d.day, d.item_kind, d.item_id`.execute(db)
  return rows
}
