import type { Stall } from '#contract/home.ts'
import { useText } from '#web/core/i18n.tsx'
import { Continue } from '#web/home/stall/Continue.tsx'
import { FirstSteps } from '#web/home/stall/FirstSteps.tsx'
import { Week } from '#web/home/stall/Week.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './StallStrip.module.css'

export function StallStrip({ stall }: { readonly stall: Stall }) {
  const { t } = useText()
  const { steps, week } = stall
  const begun = stall.continue.filter(
    ({ kind, done, lessons }) => done.length < (kind === 'course' ? lessons.length : 1),
  )
  return (
    <div className={classes('wrap', styles.stallStrip)}>
      <h1 className="sr">{t('stallTitle')}</h1>
      {begun.length > 0 && <Continue items={begun} />}
      {steps !== null && <FirstSteps steps={steps} />}
      {Object.values(week).some((many) => many > 0) && <Week week={week} />}
    </div>
  )
}
