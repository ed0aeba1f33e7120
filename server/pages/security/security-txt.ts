/** Tells finders of security holes where to report them: /.well-known/security.txt (RFC 9116). */
import type { FastifyInstance } from 'fastify'
import { LOCALES } from '#contract/messages/messages.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'

export interface SecurityTxtNeeds {
  readonly config: Pick<Config, 'OWNER_EMAIL'>
  readonly clock: Clock
  readonly publicUrl: string
  /** Headers of every response that isn't a page. */
  readonly headers: Readonly<Record<string, string>>
}

const PATH = '/.well-known/security.txt'
const A_DAY = 'public, max-age=86400'
/** Less than the year that the RFC recommends, and far longer than the file may be cached. */
const HOLDS_MONTHS = 6

/** The expiry moves with the calendar, so nobody has to renew the file. */
export function registerSecurityTxt(app: FastifyInstance, needs: SecurityTxtNeeds): void {
  app.get(PATH, (_request, reply) =>
    reply
      .headers({ ...needs.headers, 'cache-control': A_DAY })
      .type('text/plain; charset=utf-8')
      .send(writeSecurityTxt(needs)),
  )
}

function writeSecurityTxt({ config, clock, publicUrl }: SecurityTxtNeeds): string {
  const now = clock.now()
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + HOLDS_MONTHS, 1))
  // The address may be a placeholder; the report page always works.
  const isReal = !config.OWNER_EMAIL.endsWith('.example')
  return [
    ...(isReal ? [`Contact: mailto:${encodeURI(config.OWNER_EMAIL)}`] : []),
    `Contact: ${publicUrl}/report`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${LOCALES.join(', ')}`,
    `Canonical: ${publicUrl}${PATH}`,
    '',
  ].join('\n')
}
