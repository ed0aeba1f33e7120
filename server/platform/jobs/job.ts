/**
 * A job has two halves, like a call has an endpoint and a route: callers know only its kind, and a handler runs
 * it, possibly in another process or in the next version.
 */
import * as z from 'zod/mini'

/** Ids only, never a text or a secret, because administrators see the payload. */
export type JobPayload = Readonly<Record<string, string | number | boolean | null>>

export interface JobKind<Payload extends JobPayload> {
  /** Jobs of earlier versions wait under this name, so it never changes. */
  readonly name: string
  /** Must also accept what earlier versions queued. */
  readonly payload: z.ZodMiniType<Payload>
}

export const NoPayload = z.object({})

/** Defines a kind of job; the name is used nowhere else. */
export function jobKind<Payload extends JobPayload>(
  name: string,
  payload: z.ZodMiniType<Payload>,
): JobKind<Payload> {
  return { name, payload }
}

export interface JobContext {
  /** Aborts when the process stops and has waited long enough. */
  readonly signal: AbortSignal
  /** Starts at 1. */
  readonly attempt: number
  readonly maxAttempts: number
}

/** Runs a job, possibly twice. Throws to be retried. */
export type JobHandler<Payload extends JobPayload> = (
  payload: Payload,
  context: JobContext,
) => Promise<unknown>

export interface Job {
  readonly name: string
  /** Also runs every minute, in one process of all, and once at the start. */
  readonly recurs: boolean
  /** Takes the payload from the queue. @throws ZodError for an invalid payload, and errors of the handler */
  run(payload: unknown, context: JobContext): Promise<unknown>
}

export function job<Payload extends JobPayload>(
  { name, payload: shape }: JobKind<Payload>,
  handler: JobHandler<Payload>,
): Job {
  return {
    name,
    recurs: false,
    run: async (payload, context) => handler(shape.parse(payload), context),
  }
}

export function recurringJob(
  kind: JobKind<z.output<typeof NoPayload>>,
  handler: JobHandler<z.output<typeof NoPayload>>,
): Job {
  return { ...job(kind, handler), recurs: true }
}
