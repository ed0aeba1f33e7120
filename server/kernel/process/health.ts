/**
 * `/healthz` shows that the process responds. `/readyz` shows whether it can do its work, and names the parts that
 * can't.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Door } from '#server/kernel/process/door.ts'
import { packageVersion } from '#server/kernel/version.ts'
import type { Log } from '#server/kernel/log.ts'

/**
 * Load balancers and orchestrators wait one second and count no answer as a failure, so the checks end earlier.
 */
const CHECK_MS = 800
const RETRY_SECONDS = 5
const SILENT = 'does not answer'

/** A dependency that may be unavailable. */
export interface HealthPart {
  /** One word that operators know: database, redis, disk. */
  readonly name: string
  /**
   * True: while the part is unavailable, load balancers must send nobody here. False: the rest works without it,
   * and the status stays 200.
   */
  readonly needed: boolean
  /**
   * Tells the operator what to look at if the check is late or fails without a message; by default `does not
   * answer`.
   */
  readonly silent?: string
  /**
   * Rejects when the part is unavailable. The message of a `PartAway` is shown; any other error is only logged.
   */
  check(): Promise<unknown>
}

/** Its message says why a part is unavailable and may be read by anybody. */
export class PartAway extends Error {}

interface Report {
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'draining'
  /** Names of required parts that are unavailable, as `database, disk`. */
  readonly unavailable?: string
  /** Names of optional parts that are unavailable. */
  readonly degraded?: string
  /** The message of each of them. */
  readonly says?: Readonly<Record<string, string>>
}

/** `parts` is read at each call, so parts that start later can add themselves. */
export function registerHealth(
  app: FastifyInstance,
  parts: readonly HealthPart[],
  door?: Pick<Door, 'isLeaving'>,
): void {
  // An overloaded process is alive: refusing a supervisor's probe would make it kill the process and its running
  // work.
  const version = packageVersion()
  const isServedAlways = { config: { pressureHandler: () => undefined } }
  app.get('/healthz', isServedAlways, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok', version }
  })
  // A load balancer asks every second, so the log records only when a part fails and when it recovers.
  const away = new Set<string>()
  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // The process still serves, but a load balancer must stop using it.
    if (door?.isLeaving === true) return answer(reply, { status: 'draining' })
    return answer(reply, await ask(parts, away, request.log as Log))
  })
}

/** Returns true when it has answered the request. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => boolean

/** Serves `/readyz` next to the metrics, for a process without a web server. */
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

interface PartState {
  readonly part: HealthPart
  /** Why it is unavailable. Null if it is there. */
  readonly says: string | null
  readonly error: unknown
}

/** Checks all parts at once, in their order. Never rejects. */
export function checkParts(parts: readonly HealthPart[]): Promise<PartState[]> {
  return Promise.all(
    parts.map(async (part) => {
      try {
        await inTime(part.check())
        return { part, says: null, error: null }
      } catch (error) {
        const says = error instanceof PartAway ? error.message : (part.silent ?? SILENT)
        return { part, says, error }
      }
    }),
  )
}

/** `reported` holds the names of the parts whose failure has been logged. */
async function ask(parts: readonly HealthPart[], reported: Set<string>, log: Log): Promise<Report> {
  const says: Record<string, string> = {}
  for (const { part, says: why, error } of await checkParts(parts)) {
    if (why === null) {
      if (reported.delete(part.name)) log.warn({ part: part.name }, 'it is back')
      continue
    }
    if (!reported.has(part.name))
      log.warn({ err: error, part: part.name }, part.needed ? 'not ready' : 'degraded')
    reported.add(part.name)
    says[part.name] = why
  }
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

/** A part that hangs must not block the caller. */
async function inTime(check: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the check took too long')), CHECK_MS)
  })
  await Promise.race([check, late]).finally(() => clearTimeout(timer))
}
