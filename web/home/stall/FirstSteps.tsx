import type { Stall } from '#contract/home.ts'
import { LESSON_PRICE, LESSON_REWARD } from '#contract/limits.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Coin } from '#web/ui/points/Coin.tsx'
import styles from './FirstSteps.module.css'

type Steps = NonNullable<Stall['steps']>

const ACTS: readonly (readonly [
  step: keyof Steps,
  href: string,
  act: MessageKey,
  what: MessageKey,
])[] = [
  ['readFree', to.lessons({ free: '1', sort: 'views' }), 'stallStepRead', 'stallStepReadWhat'],
  ['published', to.createLesson(), 'stallStepPublish', 'stallStepPublishWhat'],
  ['unlocked', to.lessons(), 'stallStepUnlock', 'stallStepUnlockWhat'],
]

/** Finished steps stay visible. */
export function FirstSteps({ steps }: { readonly steps: Steps }) {
  const { t, formatNumber } = useText()
  const kbPoints = useSession()?.kbPoints ?? 0
  const amounts = { price: LESSON_PRICE, reward: LESSON_REWARD }
  const affordable = Math.floor(kbPoints / LESSON_PRICE)
  const next = ACTS.find(([step]) => !steps[step])
  return (
    <section className={styles.panel} aria-labelledby="stall-steps">
      <div className={styles.balance}>
        <h2 id="stall-steps">{t('stallSteps')}</h2>
        <p>
          <b>
            <Coin /> {formatNumber(kbPoints)} {t('kbPoints')}
          </b>{' '}
          {affordable === 0
            ? t('stallBalanceNone', amounts)
            : t('stallBalance', { count: affordable, ...amounts })}
        </p>
      </div>
      <ol>
        {ACTS.map(([step, href, act, what], place) => (
          <li key={step} className={steps[step] ? styles.done : undefined}>
            <span className={styles.number} aria-hidden="true">
              {steps[step] ? <Icon name="check" /> : formatNumber(place + 1)}
            </span>
            {steps[step] ? (
              <p>
                {t(act)} <span className="sr">{t('courseDoneMark')}</span>
              </p>
            ) : (
              <div>
                <ButtonLink as={Link} kind={step === next?.[0] ? 'main' : 'plain'} to={href}>
                  {t(act)}
                </ButtonLink>
                <p>{t(what, amounts)}</p>
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
