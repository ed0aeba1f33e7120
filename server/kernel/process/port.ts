/** Finds a port before anything is built on its number. */
import { createServer } from 'node:net'

/** Its message names the port. */
export class PortError extends Error {}

/** Returns the first free port from `port` on, within `tries`; port 0 means any. @throws PortError */
export async function findPort(host: string, port: number, tries: number): Promise<number> {
  for (let candidate = port; candidate < port + tries; candidate += 1) {
    const found = await probe(host, candidate)
    if (found !== null) return found
  }
  const range = tries === 1 ? `Port ${port} is` : `Ports ${port} to ${port + tries - 1} are`
  throw new PortError(`${range} taken. Set PORT to a free one.`)
}

/** Returns true when listening failed because the port is taken or not allowed. */
export function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EADDRINUSE' || code === 'EACCES'
}

function probe(host: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (isTaken(error)) resolve(null)
      else if (error.code === undefined) reject(error)
      else reject(new PortError(`Can't listen on HOST ${host}: ${error.message}.`))
    })
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : port),
      )
    })
  })
}

/** The first descriptor that systemd passes. */
const FIRST_PASSED = 3

/**
 * Returns the listening socket that systemd passes to a service with a socket unit (sd_listen_fds), or null. That
 * socket outlives the process, so connections wait while the process is replaced. Children don't inherit the variables.
 */
export function takeGivenSocket(environment: NodeJS.ProcessEnv, pid: number): number | null {
  const { LISTEN_PID, LISTEN_FDS } = environment
  delete environment['LISTEN_PID']
  delete environment['LISTEN_FDS']
  delete environment['LISTEN_FDNAMES']
  return LISTEN_PID === String(pid) && LISTEN_FDS === '1' ? FIRST_PASSED : null
}
