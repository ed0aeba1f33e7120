import type { Stall } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { Continue } from '#web/home/stall/Continue.tsx'
import { FirstSteps } from '#web/home/stall/FirstSteps.tsx'
import { Followed } from '#web/home/stall/Followed.tsx'
import { Fresh } from '#web/home/stall/Fresh.tsx'
import { Week } from '#web/home/stall/Week.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './StallStrip.module.css'

/** The signed-in person's own stall, low enough that the books below it stay in sight: three columns at most. */
export function StallStrip({ stall }: { readonly stall: Stall }) {
  const { t } = useText()
  const { steps, week, fresh, followed } = stall
  // Whom one chose to follow says more of what one wants than a guess does.
  const isFull = followed.length > 0 && (stall.continue.length > 0 || steps !== null)
  return (
    <div className={classes('wrap', styles.stallStrip)}>
      <h1 className="sr">{t('stallTitle')}</h1>
      {stall.continue.length > 0 && <Continue items={stall.continue} />}
      {steps !== null && <FirstSteps steps={steps} />}
      {followed.length > 0 && <Followed items={followed} />}
      {!isFull && <Fresh lessons={fresh} />}
      {(steps === null || steps.published) && <Week week={week} />}
    </div>
  )
}
