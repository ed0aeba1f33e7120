import type { Problem } from '#contract/errors.ts'
import type { Person, TestApp } from '#server/testing/app.ts'

interface Answered {
  readonly status: number
}

/** Sorted, because calls sent at once finish in any order. */
export const statusesOf = (answers: readonly Answered[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)

/** Returns the status and the kind of a refusal, such as `404 notFound`. */
export const refusalOf = ({ status, body }: Answered & { readonly body: Problem }): string =>
  `${status} ${body.type?.replace('urn:knowledge-bazaar:', '')}`

/**
 * Returns the answer of a call that must succeed: `await done(app, ann, 'PUT /progress/7', { done: true })`.
 * @throws Error when it is refused
 */
export async function done<Body>(
  { call }: Pick<TestApp, 'call'>,
  as: Person | undefined,
  line: string,
  sent?: unknown,
): Promise<Body> {
  const [method = '', path = ''] = line.split(' ')
  const options = sent instanceof FormData ? { as, form: sent } : { as, json: sent }
  const { status, body } = await call<Body>(method, path, options)
  if (status >= 300)
    throw new Error(`${line} answered ${as?.session.username} ${status}: ${JSON.stringify(body)}`)
  return body
}
