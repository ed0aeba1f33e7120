/**
 * Whether a connection still leads to the database, while a statement is under way that may take long: then silence
 * alone says nothing. The system notices a dead wire over which nothing is on its way, but not one that swallowed our
 * question; so the server is asked over another connection.
 */
import pg, { type ClientConfig } from 'pg'

/** How long the other connection may take, from its first byte to the answer. */
const ASK_MS = 4000

/** What the system says of a place that nothing reaches. */
const UNREACHABLE = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']

/**
 * `alive`: the statement of the session with this number is under way there. `silent`: nobody answers in time, or the
 * server waits for that session's next statement, or no longer knows it. A refusal counts as alive: somebody speaks.
 */
export async function lookAfter(
  settings: ClientConfig,
  processId: number,
): Promise<'alive' | 'silent'> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: 0 })
  client.on('error', () => undefined)
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    client.connection.stream.destroy(new Error('no answer in time'))
  }, ASK_MS)
  try {
    await client.connect()
    const { rows } = await client.query<{ state: string | null }>(
      'select state from pg_stat_activity where pid = $1',
      [processId],
    )
    const [session] = rows
    return session === undefined || session.state?.startsWith('idle') === true ? 'silent' : 'alive'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return isLate || UNREACHABLE.includes(code) ? 'silent' : 'alive'
  } finally {
    clearTimeout(late)
    client.connection.stream.destroy()
  }
}

/** How often a connection that only listens is asked something. */
const PULSE_MS = 2000
const FOLLOWS = 'the database server follows another one now'

/**
 * Asks a connection again and again that otherwise only listens: one that waits for the other side to speak never
 * learns that its wire is dead, or that its server follows another one now, where nothing is notified any more. Then
 * the connection is ended. The asking ends with the connection, or when what is answered here is called.
 */
export function startKeepalive(
  client: pg.ClientBase & Partial<Pick<pg.Client, 'connection'>>,
): () => void {
  let isAsked = false
  const timer = setInterval(() => {
    if (isAsked) return
    isAsked = true
    client
      .query<{ follows: boolean }>('select pg_is_in_recovery() as follows /* still listening */')
      .then(({ rows }) => {
        if (rows[0]?.follows === true) client.connection?.stream.destroy(new Error(FOLLOWS))
      })
      // Who uses the connection hears of its end by its `error`.
      .catch(() => undefined)
      .finally(() => {
        isAsked = false
      })
  }, PULSE_MS).unref()
  const stop = () => clearInterval(timer)
  client.once('end', stop)
  return stop
}
