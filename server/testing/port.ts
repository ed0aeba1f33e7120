import { randomInt } from 'node:crypto'
import { findPort } from '#server/kernel/process/port.ts'

/**
 * Below the range of ephemeral ports, because an outgoing connection could take a port that was just found free.
 */
const LOWEST = 10_000
const BEYOND = 30_000
const TRIES = 100

/** Returns a free local port that other tests don't use. @throws PortError */
export function findTestPort(): Promise<number> {
  return findPort('127.0.0.1', randomInt(LOWEST, BEYOND), TRIES)
}
