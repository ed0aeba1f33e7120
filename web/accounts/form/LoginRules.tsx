import type { accounts } from '#contract/accounts.ts'
import { Login } from '#contract/accounts.schemas.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { type RulesProps, useRules } from '#web/core/form/rules.ts'

/** Draws nothing: judges the login, which stands there already. */
export function LoginRules(props: RulesProps<InputOf<typeof accounts.login>>) {
  useRules(Login, props)
  return null
}
