/**
 * Checks the books: net is the sum of a person's entries, and kbPoints and debt derive from it. Nothing else is
 * stored (server/people/points/ledger.ts), so that checking net and the running balance covers both.
 */
import { sql } from 'kysely'
import type { Rule } from '#server/operate/audit/rules/rule.ts'

export const BOOKS: readonly Rule[] = [
  {
    name: 'balanceNotSum',
    what: 'A balance, of which kbPoints and debt are made, is not the sum of its entries.',
    wrong: sql`
      select 'person ' || coalesce(b.user_id, e.user_id) as id
      from point_balances b full join (
        select user_id, sum(amount) as total from point_entries group by user_id
      ) e on e.user_id = b.user_id
      where b.user_id is null or b.net <> coalesce(e.total, 0)`,
  },
  {
    name: 'entryNotRunning',
    what: 'An entry does not carry the balance after it, which its person is shown.',
    wrong: sql`
      select 'entry ' || id as id from (
        select id, net_after, amount + lag(net_after, 1, 0::bigint) over (partition by user_id order by id) as due
        from point_entries
      ) entry where net_after <> due`,
  },
  {
    name: 'boughtOnDebt',
    what: 'Something was bought with points that its buyer did not have.',
    wrong: sql`
      select 'entry ' || id as id from point_entries where reason = 'bought' and net_after < 0`,
  },
  {
    name: 'correctionUnexplained',
    what: 'An administrator changed the points of a person without an entry in the log that says who it was.',
    wrong: sql`
      select 'entry ' || e.id as id from point_entries e
      where e.reason = 'corrected' and not exists (
        select from moderation_log l
        where l.person_id = e.user_id and case
          when e.occurrence like 'undo %'
          then l.action = 'correctionUndone' and l.subject_id = substr(e.occurrence, 6)
          else l.action = 'pointsCorrected' and l.subject_id = e.id::text
        end
      )`,
  },
  {
    name: 'trustedWrongly',
    what: 'A lesson was unlocked on trust by somebody who had a debt or had owned an item before, or its author is owed a share of another.',
    wrong: sql`
      select 'entry ' || t.id as id from point_entries t
      where t.reason = 'trusted' and (t.net_after - t.amount < 0 or exists (
        select from point_entries e where e.user_id = t.user_id and e.item_id is not null and e.id < t.id
      ))
      union all
      select 'person ' || due.user_id from trusted_shares due
      where not exists (
        select from point_entries t
        where t.user_id = due.user_id and t.reason = 'trusted' and t.item_id = due.lesson_id
      )`,
  },
]
