/**
 * A call as a value: method, path, access, request, answer. Both sides import it: the server to parse and
 * serialise, the browser to call, the API description to print.
 */
import type * as z from 'zod/mini'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: `cookie` calls are authorised by the refresh cookie alone and demand a same-origin Origin;
 * every other right needs the bearer header.
 */
export type Access = 'anybody' | 'user' | 'administrator' | 'cookie'

export interface Endpoint<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType | null = z.ZodMiniType | null,
  Who extends Access = Access,
> {
  /** The first is what our own pages use. */
  readonly methods: readonly [Method, ...Method[]]
  /** Below `/api`, with `{name}` for parameters. */
  readonly path: `/${string}`
  readonly access: Who
  /** Path parameters, query and body fields in one object. */
  readonly input: Input
  /** Null: 204 without a body. */
  readonly answer: Answer
  readonly status: 200 | 201 | 202 | 204
  /** A form-body (multipart) call; its errors are arrays. */
  readonly form: boolean
  /** Fields that may come several times; of all others the first value counts. */
  readonly lists: readonly string[]
  /** A suspended person may call it: what reads, and what keeps an account safe. */
  readonly openToSuspended: boolean
  /** One line for the API description. */
  readonly summary: string
}

interface EndpointOptions<Input, Answer, Who> {
  methods: readonly [Method, ...Method[]]
  path: `/${string}`
  access: Who
  input: Input
  answer: Answer
  summary: string
  status?: 201 | 202
  form?: true
  lists?: readonly string[]
  /** Unless given: what our own pages call by GET, and what needs nobody signed in. */
  openToSuspended?: boolean
}

export function endpoint<
  Input extends z.ZodMiniType,
  Answer extends z.ZodMiniType | null,
  Who extends Access,
>(options: EndpointOptions<Input, Answer, Who>): Endpoint<Input, Answer, Who> {
  return {
    ...options,
    status: options.status ?? (options.answer === null ? 204 : 200),
    form: options.form ?? false,
    lists: options.lists ?? [],
    openToSuspended:
      options.openToSuspended ??
      (options.methods[0] === 'GET' || options.access === 'anybody' || options.access === 'cookie'),
  }
}

/** What a caller passes. */
export type InputOf<E extends Endpoint> = z.input<E['input']>
/** What a handler receives. */
export type ParsedOf<E extends Endpoint> = z.output<E['input']>
/** What a handler returns and a caller receives. */
export type AnswerOf<E extends Endpoint> = E['answer'] extends z.ZodMiniType
  ? z.input<E['answer']>
  : null
