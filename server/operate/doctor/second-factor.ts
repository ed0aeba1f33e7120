/** Lists people without the required second factor, who can't use the site until they set it up. */
import { sql } from 'kysely'
import { policyOf, type FactorSettings } from '#server/people/accounts/factors/demand.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { note, ok, type Finding } from '#server/operate/doctor/finding.ts'

const PART = 'SECOND_FACTOR'
/** Maximum number of names. Beyond that only the number is shown. */
const NAMED = 5

/** Returns null if second factors are optional. */
export async function examineSecondFactors(
  db: Db,
  config: FactorSettings,
): Promise<Finding | null> {
  const demand = policyOf(config)
  if (demand === 'own') return null
  const { rows } = await sql<{ people: number; lacking: number; names: string[] }>`
    select count(*)::int as people, (count(*) filter (where second_factor_at is null))::int as lacking,
      coalesce((array_agg(username order by username) filter (where second_factor_at is null and role = 'administrator'))[:${sql.lit(NAMED)}], '{}') as names
    from users where erased_at is null and (${demand === 'all'} or role = 'administrator')`.execute(
    db,
  )
  const { people = 0, lacking = 0, names = [] } = rows[0] ?? {}
  const who = demand === 'all' ? 'people' : 'administrators'
  if (lacking === 0) return ok(PART, `demanded of ${demand}: all of ${people} ${who} have one`)
  const held =
    demand === 'all'
      ? 'They may do nothing but set one up, at their next visit.'
      : 'Until they set one up they are users like all.'
  const administrators =
    names.length === 0 ? '' : ` Administrators among them: ${names.join(', ')}.`
  return note(
    PART,
    `demanded of ${demand}: ${lacking} of ${people} ${who} have none. ${held}${administrators}`,
  )
}
