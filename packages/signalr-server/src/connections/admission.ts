/** How many may come, and how often they may call. What is counted by whom, the product says. */
import type { IncomingMessage } from 'node:http'
import type { HubUser } from './connection.ts'

/** Come back in so many seconds. */
export interface Wait {
  readonly seconds: number
}

/** A connection that was let in. */
export interface Stay {
  /** It has ended. */
  leave(): void
  /** Its client calls a method. Null: it may. The text says why not, in words that clients show. */
  call?(): (Wait & { readonly text: string }) | null
}

export interface Admission {
  /** Somebody wants to connect; nobody knows yet who. Null: let them say who they are. */
  knock(request: IncomingMessage): Wait | null
  /** A request goes on with a connection: a poll, a POST, another socket. Nobody looked yet whose it is. */
  request?(request: IncomingMessage): Wait | null
  /** A connection is about to begin. A function is called when it has ended. */
  enter(request: IncomingMessage, user: HubUser | null): Wait | Stay | (() => void)
}

/** One for all, as each connection holds what it got. */
const stay: Stay = { leave: () => {} }

export const OPEN_DOOR: Admission = { knock: () => null, enter: () => stay }
