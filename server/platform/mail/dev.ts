/** Shows outgoing mails to developers: only on this machine, and only with NODE_ENV=development. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import type { Config } from '#server/kernel/config.ts'
import { isLoopback } from '#server/kernel/loopback.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import { composeMail, type ComposingNeeds, type StoredMail } from '#server/platform/mail/compose.ts'
import { html, type Html } from '#server/platform/mail/html.ts'

export interface DevMailNeeds extends Omit<ComposingNeeds, 'from' | 'names'> {
  readonly db: Db
  readonly config: Pick<Config, 'NODE_ENV' | 'HOST' | 'MAIL_FROM'>
  readonly settings: Current<'names'>
}

interface Row extends StoredMail {
  readonly id: number
  readonly state: string
  readonly kind: string
  readonly last_error: string | null
}

const SHOWN = 100
const ROOT = '/dev/mail'
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'"
/** The mail runs no scripts, loads nothing and has an opaque origin; clicking a link leaves it. */
const TWIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation"

/** Registers nothing unless the server is only for this machine. */
export function registerDevMail(app: FastifyInstance, needs: DevMailNeeds): void {
  const { db, config } = needs
  if (config.NODE_ENV !== 'development' || !isLoopback(config.HOST)) return
  const compose = (row: Row) =>
    composeMail({ ...needs, from: config.MAIL_FROM, names: needs.settings.current.names }, row)

  app.get(ROOT, async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound()
    return sendHtml(
      reply,
      PAGE_POLICY,
      writeList(await findMails(db, null), (row) => compose(row).subject),
    )
  })
  app.get<{ Params: { id: string } }>(`${ROOT}/:id`, async (request, reply) => {
    const [row] = isFromHere(request) ? await findMails(db, request.params.id) : []
    if (row === undefined) return reply.callNotFound()
    return sendHtml(reply, PAGE_POLICY, writeMail(row, compose(row), needs.publicUrl))
  })
  app.get<{ Params: { id: string } }>(`${ROOT}/:id/html`, async (request, reply) => {
    const [row] = isFromHere(request) ? await findMails(db, request.params.id) : []
    const twin = row === undefined ? null : compose(row).html
    if (twin === null) return reply.callNotFound()
    const markup = twin.replace('<head>', '<head><base target="_top">')
    return sendHtml(reply, TWIN_POLICY, { markup })
  })
}

const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Checks the socket and the requested host name, because any website can resolve its name to our address. Requests
 * through a proxy on this machine come from elsewhere.
 */
function isFromHere({ socket, hostname, headers }: FastifyRequest): boolean {
  const isPassedOn = OF_PROXIES.some((name) => headers[name] !== undefined)
  return !isPassedOn && isLoopback(socket.remoteAddress ?? '') && isLoopback(hostname)
}

async function findMails(db: Db, id: string | null): Promise<Row[]> {
  if (id !== null && !/^\d{1,15}$/.test(id)) return []
  const { rows } = await sql<Row>`
    select id, state, kind, message_id, user_id, address, reply_to, subject, text, notice, locale, created_at,
      last_error
    from mails ${id === null ? sql`` : sql`where id = ${id}`} order by id desc limit ${SHOWN}`.execute(
    db,
  )
  return rows
}

function sendHtml(reply: FastifyReply, policy: string, { markup }: Html): FastifyReply {
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(markup)
}

function writePage(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          body {
            font:
              15px/1.5 system-ui,
              sans-serif;
            max-width: 60rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          table {
            border-collapse: collapse;
            width: 100%;
          }
          td,
          th {
            text-align: left;
            padding: 0.25rem 0.75rem 0.25rem 0;
            border-bottom: 1px solid #8886;
            overflow-wrap: anywhere;
            vertical-align: top;
          }
          th {
            overflow-wrap: normal;
          }
          pre {
            white-space: pre-wrap;
            overflow-wrap: anywhere;
            border: 1px solid #8886;
            padding: 1rem;
          }
          iframe {
            width: 100%;
            height: 32rem;
            border: 1px solid #8886;
          }
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`
}

function writeList(rows: readonly Row[], subjectOf: (row: Row) => string): Html {
  if (rows.length === 0) return writePage('Mails', html`<p>No mail has been written yet.</p>`)
  const lines = rows.map(
    (row) =>
      html`<tr>
        <td><time>${row.created_at.toISOString()}</time></td>
        <td>${row.state}</td>
        <td>${row.kind}</td>
        <td>${row.address}</td>
        <td><a href="${ROOT}/${row.id}">${subjectOf(row)}</a></td>
      </tr>`,
  )
  return writePage(
    'Mails',
    html`<table>
      <tr>
        <th>Written</th>
        <th>State</th>
        <th>Kind</th>
        <th>To</th>
        <th>Subject</th>
      </tr>
      ${lines}
    </table>`,
  )
}

function writeMail(row: Row, mail: ReturnType<typeof composeMail>, publicUrl: string): Html {
  const facts = {
    State: row.last_error === null ? row.state : `${row.state}: ${row.last_error}`,
    From: `${mail.from.name} <${mail.from.address}>`,
    To: mail.to,
    'Reply-To': mail.replyTo ?? '',
    'Message-ID': mail.messageId,
    ...mail.headers,
  }
  const isEmptied = row.text === null && row.notice === null
  return writePage(
    mail.subject,
    html`<p><a href="${ROOT}">All mails</a></p>
      <table>
        ${Object.entries(facts).map(
          ([name, value]) =>
            html`<tr>
              <th>${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </table>
      <h2>Text</h2>
      ${isEmptied ? html`<p>Not kept: it was sent or given up.</p>` : html`<pre>${linkAddresses(mail.text, publicUrl)}</pre>`}
      ${
        mail.html === null
          ? ''
          : html`<h2>HTML</h2>
              <iframe
                title="The HTML twin"
                sandbox="allow-top-navigation-by-user-activation"
                src="${ROOT}/${row.id}/html"
              ></iframe>`
      }`,
  )
}

/** Turns our own URLs in a text into links. */
function linkAddresses(text: string, publicUrl: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) =>
      part.startsWith(`${publicUrl}/`) ? html`<a href="${part}">${part}</a>` : html`${part}`,
    )
}
