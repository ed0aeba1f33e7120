import * as z from 'zod/mini'
import { NewPassword } from '#contract/accounts.schemas.ts'
import { type RulesProps, useRules } from '#web/core/form/rules.ts'

/** The link's token is none of the form. */
const Reset = z.object({ password: NewPassword })

/** Draws nothing: judges a new password. */
export function ResetRules(props: RulesProps<{ password: string }>) {
  useRules(Reset, props)
  return null
}
