import type { accounts } from '#contract/accounts.ts'
import { PasswordForgot } from '#contract/accounts.schemas.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { type RulesProps, useRules } from '#web/core/form/rules.ts'

/** Draws nothing: judges the address of a forgotten password. */
export function ForgotRules(props: RulesProps<InputOf<typeof accounts.forgotPassword>>) {
  useRules(PasswordForgot, props)
  return null
}
