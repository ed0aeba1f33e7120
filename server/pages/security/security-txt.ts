/** Where whoever found a hole may tell: /.well-known/security.txt (RFC 9116). */
import type { FastifyInstance } from 'fastify'
import { LOCALES } from '#contract/messages/messages.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'

export interface SecurityTxtNeeds {
  readonly config: Pick<Config, 'OWNER_EMAIL'>
  readonly clock: Clock
  readonly publicUrl: string
  /** Of every answer that is no page. */
  readonly headers: Readonly<Record<string, string>>
}

const PATH = '/.well-known/security.txt'
const A_DAY = 'public, max-age=86400'
/** How long the file says it holds: less than the year that the RFC advises, and far longer than it may be cached. */
const HOLDS_MONTHS = 6

/** Registers the file. Its end moves ahead with the calendar, so nobody has to renew it. */
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
  // An address that nobody can write to is no contact; the page of reports is always one.
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
