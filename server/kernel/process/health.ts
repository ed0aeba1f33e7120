/** `/healthz`: the process answers. `/readyz`: it can do its work; what it can't do is named. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Door } from '#server/kernel/process/door.ts'
import { packageVersion } from '#server/kernel/version.ts'
import type { Log } from '#server/kernel/log.ts'

/** Balancers and orchestrators wait for a second, and take no answer for none: in less all is known. */
const CHECK_MS = 800
const RETRY_SECONDS = 5
const SILENT = 'does not answer'

/** Something that the process works with and that may be away. */
export interface HealthPart {
  /** One word, as whoever runs the product knows it: database, redis, disk. */
  readonly name: string
  /** True: a balancer is to send nobody here while it is away. False: the other parts go on, the answer stays 200. */
  readonly needed: boolean
  /** Said when it fails without words of its own, or not in time: what to look at. `does not answer` unless given. */
  readonly silent?: string
  /** Rejects when the part is away; what a `PartAway` says is answered in its words, anything else only logged. */
  check(): Promise<unknown>
}

/** Why a part can't do its work, in words that strangers may read. */
export class PartAway extends Error {}

interface Report {
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'draining'
  /** Names of parts that are away and needed, as `database, disk`. */
  readonly unavailable?: string
  /** Names of parts that are away while the others go on. */
  readonly degraded?: string
  /** What each of them says. */
  readonly says?: Readonly<Record<string, string>>
}

/** `parts` is read at each call, so whoever begins later puts itself in. */
export function registerHealth(
  app: FastifyInstance,
  parts: readonly HealthPart[],
  door?: Pick<Door, 'isLeaving'>,
): void {
  // Who is overloaded lives: a supervisor that is refused would end the process and what it has under way.
  const version = packageVersion()
  const isServedAlways = { config: { pressureHandler: () => undefined } }
  app.get('/healthz', isServedAlways, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok', version }
  })
  // A balancer asks every second: it is logged when a part goes, and when it is back.
  const away = new Set<string>()
  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // It still serves, but a balancer is to look elsewhere from now on.
    if (door?.isLeaving === true) return answer(reply, { status: 'draining' })
    return answer(reply, await ask(parts, away, request.log as Log))
  })
}

/** Answers a request when it is one for these answers. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => boolean

/** `/readyz` of a process that serves nobody: the same words, beside its metrics. */
export function createReadiness(parts: readonly HealthPart[], log: Log): Answerer {
  const away = new Set<string>()
  return ({ url }, response) => {
    if (url !== '/readyz') return false
    ask(parts, away, log).then(
      (report) => {
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
        response
          .writeHead(report.status === 'unavailable' ? 503 : 200, headers)
          .end(JSON.stringify(report))
      },
      () => response.writeHead(500).end(),
    )
    return true
  }
}

function answer(reply: FastifyReply, report: Report): FastifyReply {
  if (report.status === 'unavailable' || report.status === 'draining')
    reply.code(503).header('retry-after', RETRY_SECONDS)
  return reply.send(report)
}

/** `reported`: names of the parts of whose absence the log knows. */
async function ask(parts: readonly HealthPart[], reported: Set<string>, log: Log): Promise<Report> {
  const says: Record<string, string> = {}
  await Promise.all(
    parts.map(async (part) => {
      try {
        await inTime(part.check())
        if (reported.delete(part.name)) log.warn({ part: part.name }, 'it is back')
      } catch (error) {
        if (!reported.has(part.name))
          log.warn({ err: error, part: part.name }, part.needed ? 'not ready' : 'degraded')
        reported.add(part.name)
        says[part.name] = error instanceof PartAway ? error.message : (part.silent ?? SILENT)
      }
    }),
  )
  const away = parts.filter(({ name }) => name in says)
  const names = (needed: boolean) =>
    away.flatMap((part) => (part.needed === needed ? [part.name] : [])).join(', ')
  if (away.length === 0) return { status: 'ready' }
  const [unavailable, degraded] = [names(true), names(false)]
  return {
    status: unavailable === '' ? 'degraded' : 'unavailable',
    ...(unavailable !== '' && { unavailable }),
    ...(degraded !== '' && { degraded }),
    says,
  }
}

/** A part that hangs must not hang who asks. */
async function inTime(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the check took too long')), CHECK_MS)
  })
  await Promise.race([check, late]).finally(() => clearTimeout(timer))
}
