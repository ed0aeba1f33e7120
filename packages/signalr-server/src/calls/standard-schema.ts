/**
 * Validates arguments with zod, valibot, arktype or any other implementation of Standard Schema
 * (standardschema.dev). Its small interface is copied here to avoid a dependency.
 */
import { HubError } from '../hub.ts'

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

type Judgement<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Judgement<Output> | Promise<Judgement<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** Maximum number of issues in an error message. */
const MOST_ISSUES = 5

/** Returns the parsed arguments, one per schema. @throws HubError with the issues */
export async function judgeArguments(
  schemas: readonly StandardSchema[],
  given: readonly unknown[],
): Promise<readonly unknown[]> {
  const judged = await Promise.all(
    schemas.map(async ({ '~standard': standard }, place) => standard.validate(given[place])),
  )
  const faults: string[] = []
  const values = judged.map((judgement, place) => {
    if (judgement.issues === undefined) return judgement.value
    for (const issue of judgement.issues) faults.push(`${nameOf(place, issue)}: ${issue.message}`)
    return undefined
  })
  if (faults.length > 0) throw new HubError(faults.slice(0, MOST_ISSUES).join('; '))
  return values
}

/** Such as `argument 2 (user.name)`. */
function nameOf(place: number, { path = [] }: Issue): string {
  // Some libraries use array-likes without `map` as paths.
  const steps = Array.from(path, (step) => String(typeof step === 'object' ? step.key : step))
  return `argument ${place + 1}${steps.length === 0 ? '' : ` (${steps.join('.')})`}`
}
