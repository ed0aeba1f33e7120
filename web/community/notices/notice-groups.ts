import type { Notice, NoticeKind } from '#contract/notices.ts'

export interface NoticeGroup extends Notice {
  readonly ids: readonly number[]
}

/** Notices of other kinds have their own text and stay separate. */
const GROUPED: ReadonlySet<NoticeKind> = new Set([
  'sold',
  'rated',
  'commented',
  'answered',
  'liked',
  'message',
])

/** Groups notices about one item or from one sender. A group stands where its newest notice was. */
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
