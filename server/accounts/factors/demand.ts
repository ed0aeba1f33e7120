/** Of whom this installation demands a second factor, and what is shut to who lacks it. The settings are read here alone. */
import { sql, type RawBuilder } from 'kysely'
import type { Config } from '#server/kernel/config.ts'

export type Demand = Pick<Config, 'SECOND_FACTOR' | 'ADMIN_SECOND_FACTOR'>

interface Judged {
  readonly role: string
  readonly second_factor_at: Date | null
}

/** `own`: each as they choose. The newer setting counts where both are given. */
export function demandOf({
  SECOND_FACTOR,
  ADMIN_SECOND_FACTOR,
}: Demand): 'all' | 'administrators' | 'own' {
  return SECOND_FACTOR ?? (ADMIN_SECOND_FACTOR === '1' ? 'administrators' : 'own')
}

/** Those among whom a person of this role must have one; null: they need not. */
export function demandedOf(config: Demand, role: string): 'all' | 'administrators' | null {
  const demand = demandOf(config)
  if (demand === 'own') return null
  return demand === 'all' || role === 'administrator' ? demand : null
}

/** What is shut to a person for want of a second factor. */
export function shutTo(
  config: Demand,
  { role, second_factor_at: since }: Judged,
): 'all' | 'desk' | null {
  if (since !== null) return null
  const demanded = demandedOf(config, role)
  return demanded === 'administrators' ? 'desk' : demanded
}

/** True in SQL for people of `users` to whom not everything is shut. */
export const isOpenTo = (config: Demand): RawBuilder<boolean> =>
  demandOf(config) === 'all' ? sql<boolean>`users.second_factor_at is not null` : sql<boolean>`true`
