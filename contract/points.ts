/** The ledger of points, and the reward fields in answers of calls that create items. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { Instant, Page } from '#contract/fields.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

export const ItemKind = z.enum(['lesson', 'course'])
export type ItemKind = z.infer<typeof ItemKind>

export const EntryReason = z.enum([
  /** The balance of a new account. */
  'welcome',
  /** The reward for a new lesson or course. */
  'created',
  'rewardWithdrawn',
  'rewardWithheld',
  'bought',
  /** A first lesson, unlocked below zero. */
  'trusted',
  'refunded',
  /** A lesson left a bought course, so a part of its price was refunded. */
  'lessonGone',
  /** The buyer returned the item. */
  'returned',
  /** The buyer returned a lesson whose video can't be played. */
  'videoGone',
  /** The author of a lesson accepted captions that the person offered. */
  'captioned',
  /** The author's share of somebody else's purchase. */
  'share',
  /** The share taken back after a refund. */
  'shareReturned',
  /** An administrator edited the item. The amount is 0. */
  'edited',
  'deletedByAdministrator',
  /** An administrator added points or took some away. */
  'corrected',
])
export type EntryReason = z.infer<typeof EntryReason>

/** Why a reward was withheld. */
export const WithheldReason = z.enum([
  /** The author has it already, or enough others have. */
  'sameVideo',
  /** Almost the article of another lesson. */
  'sameArticle',
  /** Too much like what the author published in the last day. */
  'ownSeries',
  'dailyLimit',
  'lessonsDontCount',
])
export type WithheldReason = z.infer<typeof WithheldReason>

/** Reasons by a comparison of contents, against which authors can appeal. The daily limit is the same for everybody. */
export const APPEALABLE_REASONS: readonly WithheldReason[] = [
  'sameArticle',
  'sameVideo',
  'ownSeries',
]

export const WITHHELD_WORDS: Readonly<Record<WithheldReason, MessageKey>> = {
  sameVideo: 'withheldSameVideo',
  sameArticle: 'withheldSameArticle',
  ownSeries: 'withheldOwnSeries',
  dailyLimit: 'withheldDailyLimit',
  lessonsDontCount: 'withheldLessonsDontCount',
}

const check = {
  rewarded: z.boolean(),
  rewardReason: z.nullable(WithheldReason),
  /** The lesson that this one repeats, if it still exists. */
  older: z.optional(z.object({ id: z.number(), title: z.string() })),
}
/** Fields of every answer that creates a lesson or course. `kbPoints` is the caller's balance after the call. */
export const Reward = { kbPoints: z.number(), ...check }
export const RewardCheck = z.object(check)
export type RewardCheck = z.infer<typeof RewardCheck>
/** `reason` is `rewardReason`. */
export const LessonRewardCheck = z.extend(RewardCheck, { reason: check.rewardReason })

export const Entry = z.object({
  id: z.number(),
  amount: z.number(),
  reason: EntryReason,
  /** Set for withheld rewards. */
  rewardReason: z.optional(WithheldReason),
  /** The lesson that left the course, if a part of the price was refunded for it. */
  lessonTitle: z.optional(z.string()),
  /** An administrator's reason. */
  note: z.optional(z.string()),
  /** `id` remains after the item is deleted. `gone` is true if it was deleted. */
  item: z.optional(
    z.object({ kind: ItemKind, id: z.number(), title: z.string(), gone: z.boolean() }),
  ),
  date: Instant,
  /** The balance after this entry. */
  balance: z.number(),
})
export type Entry = z.infer<typeof Entry>

export const Ledger = z.object({
  kbPoints: z.number(),
  debt: z.number(),
  /** All-time sums. Income is earned or refunded; expenses are spent or taken back. */
  earned: z.number(),
  refunded: z.number(),
  spent: z.number(),
  takenBack: z.number(),
  /** Number of entries that match `show`. */
  total: z.number(),
  /** Entries by direction. Entries of amount 0 count only in `all`. */
  counts: z.object({ all: z.number(), in: z.number(), out: z.number() }),
  entries: z.array(Entry),
})
export type Ledger = z.infer<typeof Ledger>

export const LedgerQuery = z.object({
  page: z.optional(Page),
  /** All entries, only income, or only expenses. */
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
