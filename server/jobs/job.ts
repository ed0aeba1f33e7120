/**
 * A job in two halves, as a call has an endpoint and a route: its kind is all that whoever asks for it knows, and a
 * handler does it, perhaps in another process and in the next version.
 */
import * as z from 'zod/mini'

/** What a job carries: ids, never a text or a secret, because administrators see it. */
export type JobPayload = Readonly<Record<string, string | number | boolean | null>>

/** A job as a value: what it is called in the queue, and what judges its payload. */
export interface JobKind<Payload extends JobPayload> {
  /** Jobs of earlier versions wait under it, so it never changes. */
  readonly name: string
  /** What earlier versions queued passes too. */
  readonly payload: z.ZodMiniType<Payload>
}

/** For kinds that need to know nothing. */
export const NoPayload = z.object({})

/** Names a kind of job; the name stands nowhere else. */
export function jobKind<Payload extends JobPayload>(
  name: string,
  payload: z.ZodMiniType<Payload>,
): JobKind<Payload> {
  return { name, payload }
}

export interface JobContext {
  /** Aborted when the process stops and has waited long enough. */
  readonly signal: AbortSignal
  /** 1 the first time. */
  readonly attempt: number
  readonly maxAttempts: number
}

/** Does a job; it may run twice. Throws when the job is to be tried again. */
export type JobHandler<Payload extends JobPayload> = (
  payload: Payload,
  context: JobContext,
) => Promise<unknown>

/** A kind with what does it. */
export interface Job {
  readonly name: string
  /** Runs every minute besides, on one process of all, and once at the start. */
  readonly recurs: boolean
  /** Takes the payload as it comes out of the queue. @throws ZodError for one of another shape, and what the handler throws */
  run(payload: unknown, context: JobContext): Promise<unknown>
}

/** Binds a kind of job to what does it. */
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

/** Binds a kind of job that also runs every minute. */
export function recurringJob(
  kind: JobKind<z.output<typeof NoPayload>>,
  handler: JobHandler<z.output<typeof NoPayload>>,
): Job {
  return { ...job(kind, handler), recurs: true }
}
