import { useState } from 'react'
import type { Returnable } from '#contract/items.ts'
import type { ItemKind } from '#contract/points.ts'
import { returns } from '#contract/returns.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { setPoints, useSession } from '#web/core/session.ts'
import { type AgeUnit, type Span, spanOf } from '#web/core/time/age.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { Breakdown } from '#web/ui/points/Breakdown.tsx'

interface ReturnButtonProps {
  readonly kind: ItemKind
  readonly item: { readonly id: number; readonly title: string }
  readonly offer: NonNullable<Returnable>
}

const LEFT = {
  minutes: 'returnMinutesLeft',
  hours: 'returnHoursLeft',
  days: 'returnDaysLeft',
} as const satisfies Record<AgeUnit, string>

/** Returns an item for its price. Shows the time that is left after hydration, because the HTML may be old. */
export function ReturnButton({ kind, item: { id, title }, offer }: ReturnButtonProps) {
  const { t, formatNumber } = useText()
  const reload = useReload()
  const hydrated = useHydrated()
  const kbPoints = useSession()?.kbPoints ?? 0
  const [asked, setAsked] = useState(false)
  const left = hydrated ? timeUntil(offer.until) : null
  const isLesson = kind === 'lesson'
  return (
    <>
      <div className="acts scripted">
        <Button icon="undo" aria-haspopup="dialog" onClick={() => setAsked(true)}>
          {left === null ? t('returnItem') : t(LEFT[left.unit], { count: left.count })}
        </Button>
      </div>
      {asked && (
        <ConfirmDialog
          onClose={() => setAsked(false)}
          title={t('returnTitle', { title })}
          step={{ label: t('returnItem'), kind: 'main', icon: 'undo' }}
          leave={t('keepLesson')}
          act={async () => {
            const answer = await api(returns[kind], { id })
            setPoints(answer.kbPoints)
            toast(t('returned', { amount: formatNumber(offer.kbPoints) }), 'done')
          }}
          onDone={() => void reload()}
        >
          <p>{t(isLesson ? 'returnLessonWhat' : 'returnCourseWhat')}</p>
          <Breakdown
            lines={[
              { name: t('youHave'), sum: formatNumber(kbPoints) },
              { name: t('returnBack'), sum: `+${formatNumber(offer.kbPoints)}` },
              { name: t('returnThen'), sum: formatNumber(kbPoints + offer.kbPoints) },
            ]}
          />
        </ConfirmDialog>
      )}
    </>
  )
}

/** Null if it has passed. */
function timeUntil(date: string): Span | null {
  const left = Date.parse(date) - Date.now()
  return left > 0 ? spanOf(left) : null
}
