/** Which people need a second factor, and what those without one can't do. Only this module reads the settings. */
import { sql, type RawBuilder } from 'kysely'
import type { Config } from '#server/kernel/config.ts'

export type FactorSettings = Pick<Config, 'SECOND_FACTOR' | 'ADMIN_SECOND_FACTOR'>

interface PersonFactor {
  readonly role: string
  readonly second_factor_at: Date | null
}

/** With `own`, each person decides. SECOND_FACTOR wins when both settings are given. */
export function policyOf({
  SECOND_FACTOR,
  ADMIN_SECOND_FACTOR,
}: FactorSettings): 'all' | 'administrators' | 'own' {
  return SECOND_FACTOR ?? (ADMIN_SECOND_FACTOR === '1' ? 'administrators' : 'own')
}

/** Returns which policy requires a second factor of this role, or null if none does. */
export function requiredBy(config: FactorSettings, role: string): 'all' | 'administrators' | null {
  const policy = policyOf(config)
  if (policy === 'own') return null
  return policy === 'all' || role === 'administrator' ? policy : null
}

/** Returns what is closed to a person who has no second factor: everything, the desk, or nothing (null). */
export function restrictionOf(
  config: FactorSettings,
  { role, second_factor_at: since }: PersonFactor,
): 'all' | 'desk' | null {
  if (since !== null) return null
  const required = requiredBy(config, role)
  return required === 'administrators' ? 'desk' : required
}

/** SQL condition on `users`: the person isn't limited to setting up a second factor. */
export const hasFullAccess = (config: FactorSettings): RawBuilder<boolean> =>
  policyOf(config) === 'all' ? sql<boolean>`users.second_factor_at is not null` : sql<boolean>`true`
