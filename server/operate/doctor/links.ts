import { note, ok, reasonOf, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import type { Config } from '#server/kernel/config.ts'
import { createLog } from '#server/kernel/log.ts'
import { isLoopback } from '#server/kernel/loopback.ts'
import { isNeverMailed } from '#server/platform/mail/send.ts'
import { lookAtServer } from '#server/platform/mail/transport.ts'
import { nodeUrlOf, openNodesLink } from '#server/platform/nodes/redis.ts'

/** In ms. Shorter than the timeouts for sending a mail. */
const LIMITS = { connect: 5000, greeting: 5000, silence: 6000, whole: 7000, backoff: 0 }
/** Timeout for the connection to Redis in ms. */
const SETTLE_MS = 4000

/** Checks that the mail server responds, encrypts and accepts the login. Sends no mail. */
export async function examineMail(
  { SMTP_URL, MAIL_FROM, OWNER_EMAIL }: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'OWNER_EMAIL'>,
  publicUrl: string,
): Promise<Finding[]> {
  if (SMTP_URL === undefined)
    return [
      note(
        'SMTP_URL',
        'not set, so mails wait in the outbox. Set it to smtp://USER:PASSWORD@HOST:587.',
      ),
    ]
  const found: Finding[] = []
  const server = new URL(SMTP_URL)
  const place = `${server.hostname}${server.port === '' ? '' : `:${server.port}`}`
  try {
    const { encrypted, signedIn } = await lookAtServer(SMTP_URL, publicUrl, LIMITS)
    const login = signedIn ? 'lets us in' : 'answers; the address names no user, so none was tried'
    if (encrypted) found.push(ok('SMTP_URL', `${place} encrypts, and ${login}`))
    else if (isLoopback(server.hostname)) found.push(ok('SMTP_URL', `${place} ${login}`))
    else
      found.push(
        note(
          'SMTP_URL',
          `${place} ${login}, but nothing is encrypted: mails can be read on their way. Use a server with STARTTLS, or smtps://.`,
        ),
      )
  } catch (error) {
    found.push(wrong('SMTP_URL', `${place}: ${reasonOf(error)}. ${adviceOf(reasonOf(error))}`))
  }
  if (isNeverMailed(MAIL_FROM))
    found.push(
      note(
        'MAIL_FROM',
        'is an .example address: mail servers refuse to send for it. Set it to one of your domain.',
      ),
    )
  if (isNeverMailed(OWNER_EMAIL))
    found.push(
      note(
        'OWNER_EMAIL',
        'is an .example address, which is never mailed: reports of problems are only seen at the desk. Set it to yours.',
      ),
    )
  return found
}

function adviceOf(reason: string): string {
  if (/535|534|auth|credential|invalid login/i.test(reason))
    return 'Look at user and password in SMTP_URL; special signs are percent-encoded.'
  if (/certificate|altname|self.signed/i.test(reason))
    return 'Use a name that its certificate has, or give Node the authority by NODE_EXTRA_CA_CERTS.'
  if (/wrong version number|SSL|TLS/i.test(reason))
    return 'It speaks TLS otherwise: smtps:// encrypts from the beginning (465), smtp:// by STARTTLS (587).'
  if (/ENOTFOUND|EAI_AGAIN|dns/i.test(reason)) return 'No server has that name: look at SMTP_URL.'
  return 'Look whether the server runs there, and whether this machine may reach its port.'
}

/** Checks that Redis accepts the login and responds, for every form of REDIS_URL. */
export async function examineRedis(
  config: Pick<Config, 'REDIS_URL' | 'NODE_URL' | 'HOST' | 'PORT'>,
): Promise<Finding | null> {
  if (config.REDIS_URL === undefined) return null
  let nodes
  try {
    nodes = await openNodesLink(config, nodeUrlOf(config, config.PORT), createLog('silent'))
  } catch (error) {
    return wrong('REDIS_URL', reasonOf(error).replace(/^REDIS_URL /, ''))
  }
  if (nodes === null) return null
  const { link, part } = nodes
  try {
    await link.settle(SETTLE_MS)
    if (!link.isConnected()) await part.check()
    const began = performance.now()
    await link.check()
    return ok('REDIS_URL', `answers after ${(performance.now() - began).toFixed(1)} ms`)
  } catch (error) {
    return wrong(
      'REDIS_URL',
      `${reasonOf(error)}. Look whether Redis runs there and lets this machine in.`,
    )
  } finally {
    await nodes.close()
  }
}

/** Timeout for the trace collector in ms. */
const COLLECTOR_MS = 5000

/** Checks that the trace collector accepts an empty request. Sends no span. */
export async function examineCollector(
  config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS'>,
): Promise<Finding | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  if (endpoint === undefined) return null
  const part = 'traces'
  try {
    const { status } = await fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      redirect: 'manual',
      signal: AbortSignal.timeout(COLLECTOR_MS),
    })
    if (status >= 200 && status < 300) return ok(part, 'the collector takes spans')
    return wrong(
      part,
      `The collector of OTEL_EXPORTER_OTLP_ENDPOINT answers ${status}. ${collectorAdvice(status)}`,
    )
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'TimeoutError'
        ? 'does not answer'
        : 'cannot be reached'
    return wrong(
      part,
      `The collector of OTEL_EXPORTER_OTLP_ENDPOINT ${why}. Look whether it runs there and takes OTLP over HTTP (port 4318 by custom; 4317 is gRPC, which is not spoken here).`,
    )
  }
}

function collectorAdvice(status: number): string {
  if (status === 401 || status === 403)
    return 'Give what it asks for in OTEL_EXPORTER_OTLP_HEADERS, as in authorization=Bearer%20KEY.'
  if (status === 404)
    return 'Give the address without /v1/traces, and see that it takes OTLP over HTTP.'
  return 'Look at its own log.'
}
