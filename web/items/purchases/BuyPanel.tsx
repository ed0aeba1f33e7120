import { useRef, useState } from 'react'
import { LESSON_REWARD } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { useSession } from '#web/core/session.ts'
import { BuyDialog, type Offer } from '#web/items/purchases/BuyDialog.tsx'
import { PriceBar } from '#web/items/purchases/PriceBar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Buy } from '#web/ui/points/Buy.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import { Breakdown } from '#web/ui/points/Breakdown.tsx'
import buyStyles from '#web/ui/points/Buy.module.css'
import styles from '#web/ui/inputs/Field.module.css'

interface BuyPanelProps {
  readonly offer: Offer
  /** The server's `can.buy`, which is false for suspended people. */
  readonly mayBuy: boolean
  /** Shows the bar with the price on phones from the start, for a page about the price. */
  readonly leads?: boolean | undefined
}

/** Maximum number of places on the shelf, because more would be too narrow. */
const MOST_PLACES = 12

/** The price and one action: to unlock or to earn points first. */
export function BuyPanel({ offer, mayBuy, leads = false }: BuyPanelProps) {
  const { t, formatNumber } = useText()
  const kbPoints = useSession()?.kbPoints ?? 0
  const [open, setOpen] = useState(false)
  const amount = (points: number) => <Points amount={formatNumber(points)} unit={t('kbPoints')} />
  const place = useRef<HTMLDivElement>(null)
  const price = { name: t('price'), sum: amount(offer.price) }
  const missing = offer.price - kbPoints
  // While the dialog is open, the balance may already be reduced.
  const isShort = missing > 0 && !open && !offer.isOnTrust
  const unlockFor = offer.isOnTrust
    ? t('trustUnlock')
    : t('unlockFor', { price: formatNumber(offer.price) })
  // Unlocks without JavaScript (see server/pages/plain-forms.ts).
  const action = offer.isOnTrust ? `${offer.path}?trust=yes` : offer.path
  const unlock = (
    <Button kind="pay" big full aria-haspopup="dialog" onClick={() => setOpen(true)}>
      {unlockFor}
    </Button>
  )
  const lacking = <span className="quiet">{t('pointsMissing', { missing })}</span>
  return (
    <>
      {mayBuy && open && <BuyDialog offer={offer} onClose={() => setOpen(false)} />}
      <Buy label={t('price')}>
        <Breakdown lines={[price, { name: t('youHave'), sum: amount(kbPoints) }]} />
        {!mayBuy && <p className={styles.help}>{t('suspended')}</p>}
        <div ref={place}>
          {mayBuy && isShort && <ShortStep offer={offer} has={kbPoints} />}
          {mayBuy && !isShort && (
            <>
              <noscript>
                <form method="post" encType="multipart/form-data" action={action}>
                  <Button type="submit" kind="pay" big full>
                    {unlockFor}
                  </Button>
                </form>
              </noscript>
              <div className="scripted">{unlock}</div>
            </>
          )}
        </div>
        {mayBuy && !isShort && (
          <p className={styles.help}>
            {offer.isOnTrust
              ? t('trustHelp', { owed: formatNumber(missing) })
              : t(offer.kind === 'course' ? 'unlockCourseHelp' : 'unlockHelp')}
          </p>
        )}
        {mayBuy && offer.isOnTrust && <EarnFirst offer={offer} />}
      </Buy>
      {mayBuy && leads && (
        <PriceBar
          place={place}
          label={t('price')}
          price={price.sum}
          step={isShort ? lacking : unlock}
        />
      )}
    </>
  )
}

interface ShortStepProps {
  readonly offer: Offer
  readonly has: number
}

/** Leads to the form of a lesson, and from there back to the offer. */
function EarnFirst({ offer: { path, title } }: Pick<ShortStepProps, 'offer'>) {
  const { t, formatNumber } = useText()
  return (
    <ButtonLink as={Link} full to={to.createLesson()} state={{ wanted: { path, title } }}>
      {t('publishToEarn', { reward: formatNumber(LESSON_REWARD) })}
    </ButtonLink>
  )
}

/** The shelf has a place for each lesson to publish, and fills up with the balance. */
function ShortStep({ offer, has }: ShortStepProps) {
  const { t } = useText()
  const { price } = offer
  const lessons = Math.ceil(price / LESSON_REWARD)
  const done = Math.floor(has / LESSON_REWARD)
  return (
    <>
      <div className={buyStyles.shelf} aria-hidden="true">
        {Array.from({ length: Math.min(lessons, MOST_PLACES) }, (_, place) => (
          <span key={place} className={place < done ? buyStyles.earned : undefined} />
        ))}
      </div>
      <p>
        <b>{t('pointsMissing', { missing: price - has })}</b> ·{' '}
        {t('lessonsTowards', { count: Math.ceil((price - has) / LESSON_REWARD) })}
      </p>
      <EarnFirst offer={offer} />
      <p className={styles.help}>{t('notEnoughHelp')}</p>
    </>
  )
}
