import type { accounts } from '#contract/accounts.ts'
import { Registration } from '#contract/accounts.schemas.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { type RulesProps, useRules } from '#web/core/form/rules.ts'

/** Draws nothing: judges the registration, which stands there already. */
export function RegisterRules(props: RulesProps<InputOf<typeof accounts.register>>) {
  useRules(Registration, props, { field: 'rePassword', of: 'password', error: 'passwordsDiffer' })
  return null
}
