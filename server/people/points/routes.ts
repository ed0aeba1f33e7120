import { EntryReason, ItemKind, points, WithheldReason, type Entry } from '#contract/points.ts'
import { route, type Route } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { balanceOf, toBalance } from '#server/people/points/ledger.ts'
import { listEntries, sumEntries } from '#server/people/points/store.ts'

export function routes({ db }: Core): Route[] {
  return [
    route(points.show, async ({ viewer }, { page = 1, show = 'all' }) => {
      const [balance, sums, rows] = await Promise.all([
        balanceOf(db, viewer.id),
        sumEntries(db, viewer.id),
        listEntries(db, viewer.id, show, page),
      ])
      return { ...balance, ...sums, total: sums.counts[show], entries: rows.map(toEntry) }
    }),
  ]
}

type Row = Awaited<ReturnType<typeof listEntries>>[number]

function toEntry(row: Row): Entry {
  const reason = EntryReason.parse(row.reason)
  return {
    id: row.id,
    amount: row.amount,
    reason,
    ...(row.note !== null && readNote(reason, row.note)),
    ...(row.item_kind !== null && row.item_id !== null && { item: toItem(row, row.item_id) }),
    date: row.created_at.toISOString(),
    balance: toBalance(row.net_after).kbPoints,
  }
}

/** The meaning of an entry's note depends on its reason. */
function readNote(
  reason: EntryReason,
  note: string,
): Pick<Entry, 'rewardReason' | 'lessonTitle' | 'note'> {
  if (reason === 'rewardWithheld') return { rewardReason: WithheldReason.parse(note) }
  if (reason === 'lessonGone' || reason === 'shareReturned') return { lessonTitle: note }
  return { note }
}

function toItem(row: Row, id: number): Entry['item'] {
  const title = row.present_title ?? row.item_title ?? ''
  return { kind: ItemKind.parse(row.item_kind), id, title, gone: row.present_title === null }
}
