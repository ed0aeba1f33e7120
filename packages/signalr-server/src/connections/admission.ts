/** How many may come: asked before a client is let in. What is counted by whom, the product says. */
import type { IncomingMessage } from 'node:http'
import type { HubUser } from './connection.ts'

/** Come back in so many seconds. */
export interface Wait {
  readonly seconds: number
}

export interface Admission {
  /** Somebody wants to connect; nobody knows yet who. Null: let them say who they are. */
  knock(request: IncomingMessage): Wait | null
  /** A connection is about to begin; what is answered otherwise is called when it has ended. */
  enter(request: IncomingMessage, user: HubUser | null): Wait | (() => void)
}

/** One for all, as each connection holds what it got. */
const leave = () => {}

export const OPEN_DOOR: Admission = { knock: () => null, enter: () => leave }
