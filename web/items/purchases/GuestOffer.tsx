import { useRef } from 'react'
import { LESSON_REWARD } from '#contract/limits.ts'
import { useHere } from '#web/core/here.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import type { Offer } from '#web/items/purchases/BuyDialog.tsx'
import { PriceBar } from '#web/items/purchases/PriceBar.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Breakdown } from '#web/ui/points/Breakdown.tsx'
import { Buy } from '#web/ui/points/Buy.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import styles from '#web/ui/inputs/Field.module.css'

interface GuestOfferProps extends Pick<Offer, 'kind' | 'price'> {
  /** Shows the bar with the price on phones from the start, for a page about the price. */
  readonly leads?: boolean | undefined
}

export function GuestOffer({ kind, price, leads = false }: GuestOfferProps) {
  const { t, formatNumber } = useText()
  const here = useHere()
  const place = useRef<HTMLDivElement>(null)
  const sum = <Points amount={formatNumber(price)} unit={t('kbPoints')} />
  const step = (
    <ButtonLink as={Link} kind="main" big full to={to.register(here)}>
      {t('registerToUnlock')}
    </ButtonLink>
  )
  return (
    <>
      <Buy label={t('price')}>
        <Breakdown lines={[{ name: t('price'), sum }]} />
        <div ref={place}>{step}</div>
        <p className={styles.help}>
          <Rich
            id={kind === 'course' ? 'guestCourseHelp' : 'guestHelp'}
            values={{ reward: formatNumber(LESSON_REWARD) }}
            components={{ login: <Link to={to.login(here)} /> }}
          />
        </p>
      </Buy>
      {leads && <PriceBar place={place} label={t('price')} price={sum} step={step} />}
    </>
  )
}
