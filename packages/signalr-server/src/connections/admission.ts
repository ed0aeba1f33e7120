/** Limits connections and calls. The product decides what is counted for whom. */
import type { IncomingMessage } from 'node:http'
import type { HubUser } from './connection.ts'

/** Retry after this many seconds. */
export interface Wait {
  readonly seconds: number
}

/** An admitted connection. */
export interface Stay {
  /** Called when it has ended. */
  leave(): void
  /** Called for each method call. Null allows it. The text is shown to the client. */
  call?(): (Wait & { readonly text: string }) | null
}

export interface Admission {
  /** Called before the caller is authenticated. Null lets the authentication proceed. */
  knock(request: IncomingMessage): Wait | null
  /** Called for further requests of a connection (a poll, a POST, another socket) before authentication. */
  request?(request: IncomingMessage): Wait | null
  /** Called before a connection starts. A returned function is called when it has ended. */
  enter(request: IncomingMessage, user: HubUser | null): Wait | Stay | (() => void)
}

/** A single shared object, because each connection holds it. */
const stay: Stay = { leave: () => {} }

export const OPEN_DOOR: Admission = { knock: () => null, enter: () => stay }
