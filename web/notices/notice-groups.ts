import type { Notice, NoticeKind } from '#contract/notices.ts'

export interface NoticeGroup extends Notice {
  /** Of the notices that it shows. */
  readonly ids: readonly number[]
}

/** Each other notice says something of its own. */
const GROUPED: ReadonlySet<NoticeKind> = new Set([
  'sold',
  'rated',
  'commented',
  'answered',
  'liked',
  'message',
])

/**
 * Puts together what happened to one item, or what one person wrote, on several days. A group stands where its newest
 * notice stands. Read and unread notices are never in one group.
 */
export function groupNotices(notices: readonly Notice[]): NoticeGroup[] {
  const groups = Map.groupBy(notices, ({ id, kind, item, actor, detail, read }) => {
    if (!GROUPED.has(kind)) return String(id)
    const about = kind === 'message' ? actor?.id : `${item?.kind} ${item?.id}`
    return [kind, about, detail, read].join(' ')
  })
  return [...groups.values()].flatMap((group) => {
    const [newest] = group
    if (newest === undefined) return []
    const sum = (of: 'count' | 'amount') => group.reduce((total, notice) => total + notice[of], 0)
    return { ...newest, ids: group.map(({ id }) => id), count: sum('count'), amount: sum('amount') }
  })
}
