/** Answers in short, to compare them. */
import type { Problem } from '#contract/errors.ts'

interface Answered {
  readonly status: number
}

/** In ascending order, for calls that were sent at once. */
export const statusesOf = (answers: readonly Answered[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)

/** The status and the kind of a refusal, such as `404 notFound`. */
export const refusalOf = ({ status, body }: Answered & { readonly body: Problem }): string =>
  `${status} ${body.type?.replace('urn:knowledge-bazaar:', '')}`
