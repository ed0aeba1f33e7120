/** Which people need a second factor, and what those without one can't do. Only this module reads the settings. */
import { sql, type RawBuilder } from 'kysely'
import type { Config } from '#server/kernel/config.ts'

export type Demand = Pick<Config, 'SECOND_FACTOR' | 'ADMIN_SECOND_FACTOR'>

interface Judged {
  readonly role: string
  readonly second_factor_at: Date | null
}

/** `own` leaves it to each person. SECOND_FACTOR wins when both settings are given. */
export function demandOf({
  SECOND_FACTOR,
  ADMIN_SECOND_FACTOR,
}: Demand): 'all' | 'administrators' | 'own' {
  return SECOND_FACTOR ?? (ADMIN_SECOND_FACTOR === '1' ? 'administrators' : 'own')
}

/** Returns the group because of which a person of this role needs a second factor, or null. */
export function requirementFor(config: Demand, role: string): 'all' | 'administrators' | null {
  const demand = demandOf(config)
  if (demand === 'own') return null
  return demand === 'all' || role === 'administrator' ? demand : null
}

/** Returns what a person can't use without a second factor. */
export function restrictionOf(
  config: Demand,
  { role, second_factor_at: since }: Judged,
): 'all' | 'desk' | null {
  if (since !== null) return null
  const demanded = requirementFor(config, role)
  return demanded === 'administrators' ? 'desk' : demanded
}

/** SQL that is true for people in `users` who may use more than the setup of a second factor. */
export const hasFullAccess = (config: Demand): RawBuilder<boolean> =>
  demandOf(config) === 'all' ? sql<boolean>`users.second_factor_at is not null` : sql<boolean>`true`
