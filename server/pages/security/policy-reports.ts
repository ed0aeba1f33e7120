/**
 * Logs browsers' reports of violations of the content security policy: the directive, the source and the page, but
 * no query and no sample of a script. Anybody can send reports, so they are limited in bytes, by network and in
 * log lines.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { BoundedMap } from '#server/kernel/bounded-map.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { POLICY_REPORTS_A_MINUTE } from '#contract/limits.ts'
import { Refusal, unsupported } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'
import { networkOf } from '#server/kernel/network.ts'
import { createRate } from '#server/kernel/limits/rates.ts'

export const REPORTS_PATH = '/policy-reports'

interface ReportNeeds {
  readonly log: Pick<Log, 'warn'>
  readonly clock: Clock
}

interface Violation {
  readonly directive: string
  /** An origin, a scheme, or a word such as `inline`. */
  readonly blocked: string
  /** The path of the page. */
  readonly page: string
  /** False for a report-only policy. */
  readonly enforced: boolean
}

/** Bytes of a body; browsers send a few reports at once. */
const MOST_BYTES = 16_384
const MOST_REPORTS = 20
const HOUR_MS = 60 * 60 * 1000
/** Different reports that are remembered, so that each is logged once an hour. */
const MOST_KNOWN = 1000
/** Log lines an hour; further reports are only counted. */
const LINES_AN_HOUR = 100
/** Of these, the lines of one network. */
const LINES_OF_NETWORK = 20
const LONGEST = 100

const Text = z.string().max(10_000).optional()
const Old = z.object({
  'csp-report': z.object({
    'document-uri': Text,
    'effective-directive': Text,
    'violated-directive': Text,
    'blocked-uri': Text,
    disposition: Text,
  }),
})
const New = z
  .array(
    z.object({
      type: z.string().max(LONGEST),
      body: z
        .object({
          documentURL: Text,
          effectiveDirective: Text,
          blockedURL: Text,
          disposition: Text,
        })
        .optional(),
    }),
  )
  .max(MOST_REPORTS)

/** The policy of pages names this URL. */
export async function registerPolicyReports(
  app: FastifyInstance,
  { log, clock }: ReportNeeds,
): Promise<void> {
  const rate = createRate(POLICY_REPORTS_A_MINUTE)
  const notice = createNotice(log, clock)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    for (const type of ['application/csp-report', 'application/reports+json'])
      scope.addContentTypeParser(
        type,
        { parseAs: 'string', bodyLimit: MOST_BYTES },
        (_, body, done) => done(null, body),
      )
    scope.addContentTypeParser('*', (_request, _body, done) => done(unsupported()))
    scope.post(REPORTS_PATH, async (request, reply) => {
      const network = networkOf(request.ip)
      rate.count(network)
      for (const violation of readReports(request)) notice(violation, network)
      return reply.code(204).header('cache-control', 'no-store').send()
    })
  })
}

/** @throws Refusal 400 for an invalid report */
function readReports({ body }: FastifyRequest): Violation[] {
  const given = parse(body)
  const old = Old.safeParse(given)
  if (old.success) {
    const report = old.data['csp-report']
    const directive = report['effective-directive'] ?? report['violated-directive']
    return [
      toViolation(directive, report['blocked-uri'], report['document-uri'], report.disposition),
    ]
  }
  const reports = New.safeParse(given)
  if (!reports.success) throw new Refusal(400, 'badRequest')
  return reports.data.flatMap(({ type, body: of }) =>
    type === 'csp-violation' && of !== undefined
      ? [toViolation(of.effectiveDirective, of.blockedURL, of.documentURL, of.disposition)]
      : [],
  )
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body)) as unknown
  } catch {
    throw new Refusal(400, 'badRequest')
  }
}

function toViolation(directive = '', blocked = '', page = '', disposition = 'enforce'): Violation {
  return {
    directive: /^[a-z-]{1,40}/.exec(directive)?.[0] ?? 'unknown',
    blocked: blockedOf(blocked),
    page: pathOf(page),
    enforced: disposition !== 'report',
  }
}

/** Reduces a URL to its origin, because the rest may be a secret. */
function blockedOf(blocked: string): string {
  if (/^[a-z-]{1,40}$/.test(blocked)) return blocked
  const url = URL.parse(blocked)
  if (url === null) return 'unknown'
  return url.origin === 'null' ? url.protocol : url.origin.slice(0, LONGEST)
}

/** Returns the path without characters that our own URLs don't contain. */
function pathOf(page: string): string {
  const path = URL.parse(page)?.pathname ?? ''
  return /^\/[\w/.-]{0,100}/.exec(path)?.[0] ?? 'unknown'
}

/** Logs each different violation once an hour, up to a maximum number of lines. */
function createNotice(
  log: Pick<Log, 'warn'>,
  clock: Clock,
): (violation: Violation, network: string) => void {
  const known = new BoundedMap<string, number>({ most: MOST_KNOWN })
  let hour = 0
  let lines = 0
  let ofNetworks = new BoundedMap<string, number>({ most: MOST_KNOWN })
  return (violation, network) => {
    const now = Math.floor(clock.now().getTime() / HOUR_MS)
    if (now !== hour) {
      ;[hour, lines] = [now, 0]
      ofNetworks = new BoundedMap({ most: MOST_KNOWN })
    }
    const name = JSON.stringify(violation)
    const ofNetwork = ofNetworks.get(network) ?? 0
    if (known.get(name) === hour || lines > LINES_AN_HOUR || ofNetwork >= LINES_OF_NETWORK) return
    known.set(name, hour)
    ofNetworks.set(network, ofNetwork + 1)
    lines += 1
    if (lines > LINES_AN_HOUR)
      log.warn('more violations of the content policy are not written this hour')
    else log.warn(violation, 'a browser reports a violation of the content policy')
  }
}
