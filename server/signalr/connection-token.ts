/**
 * Connection tokens: random, signed, and naming the node that holds the connection, so that any node behind a
 * balancer knows where a request belongs, and a forged token opens nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const RANDOM_BYTES = 24
const MAC_BYTES = 16

export interface ConnectionTokens {
  create(): string
  /** The node that made it; null for what none of ours made. */
  nodeOf(token: string): string | null
}

/** `node` has no dot in it. `secret`: the same on all nodes. */
export function createConnectionTokens(secret: string, node: string): ConnectionTokens {
  const macOf = (text: string) =>
    createHmac('sha256', secret).update(text).digest().subarray(0, MAC_BYTES)
  return {
    create: () => {
      const text = `${node}.${randomBytes(RANDOM_BYTES).toString('base64url')}`
      return `${text}.${macOf(text).toString('base64url')}`
    },
    nodeOf: (token) => {
      const [name, random, mac, ...more] = token.split('.')
      if (name === undefined || random === undefined || mac === undefined || more.length > 0)
        return null
      const given = Buffer.from(mac, 'base64url')
      const right = macOf(`${name}.${random}`)
      return given.length === right.length && timingSafeEqual(given, right) ? name : null
    },
  }
}
