import type { InputOf } from '#contract/endpoint.ts'
import { OidcRegistration } from '#contract/identities.schemas.ts'
import type { identities } from '#contract/identities.ts'
import { type RulesProps, useRules } from '#web/core/form/rules.ts'

/** Draws nothing: judges the name of somebody new. */
export function NewcomerRules(props: RulesProps<InputOf<typeof identities.register>>) {
  useRules(OidcRegistration, props)
  return null
}
