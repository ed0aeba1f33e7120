import { LESSON_PRICE, LESSON_REWARD } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { Breakdown } from '#web/ui/points/Breakdown.tsx'

export function PointsAside() {
  const { t, formatNumber } = useText()
  const unit = t('kbPoints')
  return (
    <aside aria-labelledby="how-points-work">
      <h2 id="how-points-work">{t('homeDealTitle')}</h2>
      <Breakdown
        lines={[
          {
            name: t('costPublish'),
            sum: <Points amount={`+${formatNumber(LESSON_REWARD)}`} unit={unit} />,
          },
          {
            name: t('costUnlock'),
            sum: <Points amount={`−${formatNumber(LESSON_PRICE)}`} unit={unit} />,
          },
          { name: t('costKeep'), sum: t('costKept') },
        ]}
      />
    </aside>
  )
}
