/** Connects to the mail server and interprets its refusals. */
import { isLoopback } from '#server/kernel/loopback.ts'
import type { ComposedMail } from '#server/platform/mail/compose.ts'

/** In ms. A server that hangs must not block a worker. */
export interface TimeLimits {
  /** For DNS, connection and TLS. */
  readonly connect: number
  /** For the server's greeting. */
  readonly greeting: number
  /** For silence in the middle. */
  readonly silence: number
  /** For the whole conversation, however slowly the server responds. */
  readonly whole: number
  /** How long a server that hung isn't tried again. */
  readonly backoff: number
}

export const TIME_LIMITS: TimeLimits = {
  connect: 8000,
  greeting: 8000,
  silence: 12_000,
  whole: 25_000,
  backoff: 60_000,
}

/** Resolves when the server has accepted the mail. @throws MailFailure */
export type Deliver = (mail: ComposedMail, signal: AbortSignal) => Promise<void>

export class MailFailure extends Error {
  /** A retry would be refused too, because of the recipient or the mail itself. */
  readonly permanent: boolean
  /** The server didn't respond in time. */
  readonly hung: boolean

  constructor(text: string, kind: { permanent?: boolean; hung?: boolean } = {}) {
    super(text)
    this.permanent = kind.permanent ?? false
    this.hung = kind.hung ?? false
  }
}

/** Options for sending a mail and for checking the server. */
function connectionOf(smtpUrl: string, publicUrl: string, limits: TimeLimits) {
  return {
    name: new URL(publicUrl).hostname,
    connectionTimeout: limits.connect,
    dnsTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.silence,
    requireTLS: mustEncrypt(new URL(smtpUrl)),
  }
}

/** Imports the library with the first mail, so that it doesn't delay the start. */
export function createDelivery(smtpUrl: string, publicUrl: string, limits: TimeLimits): Deliver {
  const options = {
    url: smtpUrl,
    ...connectionOf(smtpUrl, publicUrl, limits),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return async (mail, signal) => {
    const { createTransport } = await import('nodemailer')
    const { html, replyTo, headers, ...remaining } = mail
    try {
      await createTransport(options).sendMail({
        ...remaining,
        to: { name: '', address: mail.to },
        // Whatever the headers say, the mail goes only to this address.
        envelope: { from: mail.from.address, to: [mail.to] },
        ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
        ...(html !== null && { html }),
        headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
        xMailer: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(limits.whole)]),
      })
    } catch (error) {
      throw toFailure(error, secretsOf(new URL(smtpUrl)))
    }
  }
}

export interface ServerLook {
  /** The conversation was encrypted, from its beginning or by STARTTLS. */
  readonly encrypted: boolean
  /** The server accepted user and password; false where the URL has none. */
  readonly signedIn: boolean
}

/** Connects and signs in like for a mail, then quits. @throws MailFailure */
export async function lookAtServer(
  smtpUrl: string,
  publicUrl: string,
  limits: TimeLimits,
): Promise<ServerLook> {
  const [{ default: SMTPConnection }, { parseConnectionUrl }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/shared'),
  ])
  const { auth, ...address } = parseConnectionUrl(smtpUrl)
  const connection = new SMTPConnection({
    ...address,
    ...connectionOf(smtpUrl, publicUrl, limits),
  })
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject)
      connection.connect((error) => {
        if (error) reject(error)
        else if (auth === undefined) resolve()
        else connection.login(auth, (refused) => (refused ? reject(refused) : resolve()))
      })
    })
    return { encrypted: connection.secure === true, signedIn: auth !== undefined }
  } catch (error) {
    throw toFailure(error, secretsOf(new URL(smtpUrl)))
  } finally {
    // Errors after the check don't change its result.
    connection.removeAllListeners('error')
    connection.on('error', () => undefined)
    connection.quit()
    connection.close()
  }
}

/** A password is sent unencrypted only to this machine, or if the URL has `?ignoreTLS=true`. */
function mustEncrypt({ protocol, username, hostname, searchParams }: URL): boolean {
  const inClear = isLoopback(hostname) || searchParams.has('ignoreTLS')
  return protocol === 'smtp:' && username !== '' && !inClear
}

function secretsOf({ username, password }: URL): string[] {
  const plain = [decode(username), decode(password)]
  return [...plain, username, password, ...plain.map(toBase64), toBase64(`\0${plain.join('\0')}`)]
}
/** A `%` that begins no escape stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
const toBase64 = (text: string) => Buffer.from(text).toString('base64')

/** A 5xx to these commands refuses the mail itself; to all others, the sender or the moment. */
const OF_THE_MAIL = new Set(['RCPT TO', 'DATA'])
/** A command at the wrong time, which says nothing about the mail. */
const BAD_SEQUENCE = 503

function toFailure(error: unknown, secrets: readonly string[]): MailFailure {
  const failure = error instanceof Error ? error : new Error('unknown')
  const { code, responseCode, command } = failure as {
    code?: unknown
    responseCode?: unknown
    command?: unknown
  }
  const permanent =
    typeof responseCode === 'number' &&
    responseCode >= 500 &&
    responseCode !== BAD_SEQUENCE &&
    OF_THE_MAIL.has(String(command))
  const hung = code === 'ETIMEDOUT' || code === 'EABORT'
  return new MailFailure(sanitizeMessage(failure.message, secrets), { permanent, hung })
}

const LONGEST = 200

/**
 * Returns one short line without addresses, names or passwords, because administrators see it and it is logged.
 */
function sanitizeMessage(text: string, secrets: readonly string[]): string {
  let line = text.replaceAll(/[\p{C}\s]+/gu, ' ')
  for (const secret of secrets.filter(({ length }) => length > 2)) {
    line = line.replaceAll(secret, '…')
  }
  return line
    .replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…')
    .slice(0, LONGEST)
    .trim()
}
