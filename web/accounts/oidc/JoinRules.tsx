import type { InputOf } from '#contract/endpoint.ts'
import { OidcFinish } from '#contract/identities.schemas.ts'
import type { identities } from '#contract/identities.ts'
import { type RulesProps, useRules } from '#web/core/form/rules.ts'

/** Draws nothing: judges the password and the second step of who joins an identity. */
export function JoinRules(props: RulesProps<InputOf<typeof identities.finish>>) {
  useRules(OidcFinish, props)
  return null
}
