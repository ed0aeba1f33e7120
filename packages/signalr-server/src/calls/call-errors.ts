/** Error messages of failed calls. */
import { HubError, type MethodEntry } from '../hub.ts'
import {
  INVOCATION,
  STREAM_INVOCATION,
  type Invocation,
  type StreamInvocation,
} from '../protocol/messages.ts'

export type Call = Invocation | StreamInvocation

/** Longest part of a method name in a message. */
const MOST_NAME = 200

/** For a method that threw. */
export const unexpectedIn = (target: string) =>
  `An unexpected error occurred invoking '${target.slice(0, MOST_NAME)}' on the server.`

/** For a call that could not be parsed. */
const failedIn = (target: string) => `Failed to invoke '${target}' due to an error on the server.`

/** For a stream that failed after items were sent, or could have been. */
export const WHILE_STREAMING = 'An error occurred on the server while streaming results.'

/** For a call refused by a policy. */
export const unauthorizedIn = (target: string) =>
  `Failed to invoke '${target.slice(0, MOST_NAME)}' because user is unauthorized`

/** Returns what a client may learn about an error, in the format that clients expect. */
export function describeError(what: string, error: unknown, isDetailed: boolean): string {
  const isShown = error instanceof HubError || isDetailed
  return isShown && error instanceof Error ? `${what} ${error.name}: ${error.message}` : what
}

/**
 * Returns why a call can't be made, or null. Errors in arguments take precedence. `isDetailed` includes the
 * expected number of arguments.
 */
export function refuse(
  call: Call,
  method: MethodEntry | undefined,
  isDetailed: boolean,
): string | null {
  const { target } = call
  if (method === undefined) return `${failedIn(target)} HubException: Method does not exist.`
  const { length } = call.arguments
  if (length !== method.parameters) {
    const why = `Invocation provides ${length} argument(s) but target expects ${method.parameters}.`
    return isDetailed ? `${failedIn(target)} InvalidDataException: ${why}` : failedIn(target)
  }
  if (method.kind === 'stream' && call.type === INVOCATION)
    return `The client attempted to invoke the streaming '${target}' method with a non-streaming invocation.`
  if (method.kind === 'method' && call.type === STREAM_INVOCATION)
    return `The client attempted to invoke the non-streaming '${target}' method with a streaming invocation.`
  const streams = call.streamIds?.length ?? 0
  if (streams !== method.uploads)
    return `${unexpectedIn(target)} HubException: Client sent ${streams} stream(s), Hub method expects ${method.uploads}.`
  return null
}
