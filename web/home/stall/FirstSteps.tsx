import type { ReactNode } from 'react'
import type { Stall } from '#contract/home.ts'
import { LESSON_PRICE, LESSON_REWARD } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './StallStrip.module.css'

interface FirstStepsProps {
  readonly steps: NonNullable<Stall['steps']>
}

/** How the place works, as three things to do; done ones stay in sight with their tick. */
export function FirstSteps({ steps }: FirstStepsProps) {
  const { t } = useText()
  return (
    <section aria-labelledby="stall-steps">
      <h2 id="stall-steps">{t('stallSteps')}</h2>
      <ol className={classes(styles.rows, styles.firstSteps)}>
        <Step number="1" done={steps.readFree} href={to.lessons({ free: '1', sort: 'views' })}>
          {t('stallStepRead')}
        </Step>
        <Step
          number="2"
          done={steps.published}
          href={to.createLesson()}
          points={`+${LESSON_REWARD}`}
        >
          {t('stallStepPublish')}
        </Step>
        <Step number="3" done={steps.unlocked} href={to.lessons()} points={`−${LESSON_PRICE}`}>
          {t('stallStepUnlock')}
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  readonly number: string
  readonly done: boolean
  readonly href: string
  readonly points?: string | undefined
  readonly children: ReactNode
}

function Step({ number, done, href, points, children }: StepProps) {
  const { t } = useText()
  return (
    <li className={done ? styles.done : undefined}>
      <span className={styles.step} aria-hidden="true">
        {done ? <Icon name="check" /> : number}
      </span>
      {done ? (
        <span>
          {children} <span className="sr">{t('courseDoneMark')}</span>
        </span>
      ) : (
        <Link to={href}>{children}</Link>
      )}
      {points !== undefined && !done && (
        <span className={styles.sum}>
          <Points amount={points} unit={t('kbPoints')} />
        </span>
      )}
    </li>
  )
}
