/**
 * Arguments, judged by what others have written: zod, valibot, arktype and all that keep to the Standard Schema
 * (standardschema.dev), whose interface is small enough to be written here instead of being depended upon.
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

/** What is said of one call is no longer than this many faults. */
const MOST_ISSUES = 5

/** What the schemas make of the arguments, as many as there are schemas. @throws HubError with what they refuse */
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

/** `argument 2 (user.name)`. */
function nameOf(place: number, { path = [] }: Issue): string {
  // Some make paths of a kind of list that is not to be mapped.
  const steps = Array.from(path, (step) => String(typeof step === 'object' ? step.key : step))
  return `argument ${place + 1}${steps.length === 0 ? '' : ` (${steps.join('.')})`}`
}
