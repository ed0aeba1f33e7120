/**
 * Checks whether a connection still reaches the database during a slow statement, when silence alone means
 * nothing. TCP keepalive detects a dead idle connection, but not one that swallowed our query, so this asks the
 * server over another connection.
 */
import pg, { type ClientConfig } from 'pg'

/** In ms for the other connection, from its first byte to the response. */
const ASK_MS = 4000

/** Socket errors of an unreachable host. */
const UNREACHABLE = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']

/**
 * `alive`: the session with this process id is running a statement. `silent`: the server doesn't respond in time,
 * or waits for the session's next statement, or doesn't know the session. A refusal counts as alive, because the
 * server responded.
 */
export async function checkSession(
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

/** In ms, for connections that only listen. */
const PULSE_MS = 2000
const FOLLOWS = 'the database server follows another one now'

/**
 * Regularly queries a connection that otherwise only listens and so wouldn't notice that it is dead, or that its
 * server has become a standby, where no notifications arrive. Then it closes the connection. Stops with the
 * connection, or when the returned function is called.
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
      // The user of the connection gets its `error` event.
      .catch(() => undefined)
      .finally(() => {
        isAsked = false
      })
  }, PULSE_MS).unref()
  const stop = () => clearInterval(timer)
  client.once('end', stop)
  return stop
}
