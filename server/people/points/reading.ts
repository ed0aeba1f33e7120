import type * as z from 'zod/mini'
import {
  EntryReason,
  ItemKind,
  WithheldReason,
  type Entry,
  type Ledger,
  type LedgerQuery,
} from '#contract/points.ts'
import { balanceOf, toBalance } from '#server/people/points/ledger.ts'
import { listEntries, sumEntries } from '#server/people/points/store.ts'
import type { Db } from '#server/platform/db/connect.ts'

/** Reads a page of a person's ledger, with the balance and the sums of all entries. */
export async function readLedger(
  db: Db,
  userId: string,
  { page = 1, show = 'all' }: z.output<typeof LedgerQuery>,
): Promise<Ledger> {
  const [balance, sums, rows] = await Promise.all([
    balanceOf(db, userId),
    sumEntries(db, userId),
    listEntries(db, userId, show, page),
  ])
  return { ...balance, ...sums, total: sums.counts[show], entries: rows.map(toEntry) }
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
