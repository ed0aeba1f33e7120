/** Ports for the servers of tests. */
import { randomInt } from 'node:crypto'
import { findPort } from '#server/kernel/process/port.ts'

/** Below those that systems give to outgoing connections, any of which may take a port that was just found free. */
const LOWEST = 10_000
const BEYOND = 30_000
const TRIES = 100

/** A free port of this machine, which stays free until the server that is about to start listens. @throws PortError */
export function findTestPort(): Promise<number> {
  return findPort('127.0.0.1', randomInt(LOWEST, BEYOND), TRIES)
}
