/** Points: the ledger as its owner sees it, and what a call that changes points answers. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Page } from '#contract/fields.ts'

export const ItemKind = z.enum(['lesson', 'course'])
export type ItemKind = z.infer<typeof ItemKind>

/** Why an entry stands in the ledger. */
export const EntryReason = z.enum([
  'welcome',
  'created',
  'rewardWithdrawn',
  'rewardWithheld',
  'bought',
  'refunded',
  'lessonGone',
  /** Of somebody else's purchase, to the author of the item. */
  'share',
  /** The same taken back, because the purchases were paid back. */
  'shareReturned',
  'edited',
  'deletedByAdministrator',
])
export type EntryReason = z.infer<typeof EntryReason>

/** Why a reward was withheld. */
export const RewardReason = z.enum(['sameVideo', 'sameArticle', 'dailyLimit', 'lessonsDontCount'])
export type RewardReason = z.infer<typeof RewardReason>

/** Mixed into the answers of creates. `kbPoints` are the caller's after the call. */
export const Reward = {
  kbPoints: z.number(),
  rewarded: z.boolean(),
  rewardReason: z.nullable(RewardReason),
}
export const RewardCheck = z.object({
  rewarded: z.boolean(),
  rewardReason: z.nullable(RewardReason),
})
export type RewardCheck = z.infer<typeof RewardCheck>

export const Entry = z.object({
  id: z.number(),
  amount: z.number(),
  reason: EntryReason,
  /** Set on withheld rewards. */
  rewardReason: z.optional(RewardReason),
  /** Of the lesson that left the course, where a part of the price was paid back for it. */
  lessonTitle: z.optional(z.string()),
  /** A reason in an administrator's words. */
  note: z.optional(z.string()),
  /** `id` stays when the item is gone; `gone` says so. */
  item: z.optional(
    z.object({ kind: ItemKind, id: z.number(), title: z.string(), gone: z.boolean() }),
  ),
  date: Instant,
  /** kbPoints after this entry. */
  balance: z.number(),
})
export type Entry = z.infer<typeof Entry>

export const Ledger = z.object({
  kbPoints: z.number(),
  debt: z.number(),
  /** Sums of all there is: what came in is earned or refunded, what went out is spent or taken back. */
  earned: z.number(),
  refunded: z.number(),
  spent: z.number(),
  takenBack: z.number(),
  /** Entries of the direction that was asked for. */
  total: z.number(),
  /** Entries of each direction; those of amount 0 are only in `all`. */
  counts: z.object({ all: z.number(), in: z.number(), out: z.number() }),
  entries: z.array(Entry),
})
export type Ledger = z.infer<typeof Ledger>

export const LedgerQuery = z.object({
  page: z.optional(Page),
  /** All entries, or only those that came in or went out. */
  show: z.optional(z.enum(['all', 'in', 'out'], { error: 'invalidChoice' })),
})

export const points = endpoints({
  show: {
    methods: ['GET'],
    path: '/identity/points',
    access: 'user',
    scope: 'read',
    input: LedgerQuery,
    answer: Ledger,
    summary: "The caller's ledger, newest entry first",
  },
})
