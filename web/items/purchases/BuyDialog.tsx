import { useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { MOST_AUTHOR_SHARE } from '#contract/limits.ts'
import { useSession } from '#web/core/session.ts'
import { useSettings } from '#web/core/settings.ts'
import { usePurchase } from '#web/items/purchases/purchase.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Coin } from '#web/ui/points/Coin.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Breakdown } from '#web/ui/points/Breakdown.tsx'
import styles from '#web/ui/inputs/Field.module.css'

export interface Offer {
  readonly title: string
  /** KB Points. */
  readonly price: number
  readonly kind: 'lesson' | 'course'
  /** The viewer lacks the points, and may unlock it below zero. */
  readonly isOnTrust: boolean
  /** The path of its page. */
  readonly path: string
  /** Throws ApiError. */
  readonly buy: () => Promise<{ readonly kbPoints: number }>
  /** Opens the list of purchases. */
  readonly onBought: () => void
  /** The user already owns it. The page then shows its content. */
  readonly onHeld: () => void
}

interface BuyDialogProps {
  readonly offer: Offer
  readonly onClose: () => void
}

/** Confirms the purchase with the balance before and after. */
export function BuyDialog({ offer, onClose }: BuyDialogProps) {
  const { t, formatNumber } = useText()
  const kbPoints = useSession()?.kbPoints ?? 0
  const { buy, busy, failure, forget } = usePurchase(offer)
  // The balance drops optimistically during the request, but the dialog must keep showing the earlier one.
  const [before, setBefore] = useState(kbPoints)
  if (!busy && failure?.unsure !== true && before !== kbPoints) setBefore(kbPoints)
  const { isOnTrust } = offer
  const price = formatNumber(offer.price)
  const left = before - offer.price
  const share = Math.min(
    MOST_AUTHOR_SHARE,
    Math.floor((offer.price * useSettings().authorShare) / 100),
  )
  const close = () => {
    forget()
    onClose()
    // The purchase may have succeeded, so the page must reload.
    if (failure?.unsure === true) offer.onHeld()
  }
  return (
    <Dialog
      onClose={close}
      title={t(isOnTrust ? 'trustTitle' : 'unlockTitle', { title: offer.title })}
      head={
        <>
          <Coin dark />
          <span>
            {price} {t('kbPoints')}
          </span>
        </>
      }
      actions={
        <>
          {failure?.final !== true && (
            <Button kind="pay" busy={busy} onClick={() => void buy()}>
              {isOnTrust ? t('trustUnlock') : t('unlockFor', { price })}
            </Button>
          )}{' '}
          <Button onClick={close}>{failure?.final === true ? t('close') : t('notNow')}</Button>
        </>
      }
    >
      {failure !== null && (
        <Alert key={failure.count} heading={t('error')} focus>
          {failure.text}{' '}
          {failure.final && (
            <>
              <br />
              {t('nothingCharged')}
            </>
          )}
        </Alert>
      )}
      {isOnTrust && <p>{t('trustHelp', { owed: formatNumber(-left) })}</p>}
      <Breakdown
        lines={[
          { name: t('youHave'), sum: formatNumber(before) },
          { name: t(offer.kind === 'course' ? 'thisCourse' : 'thisLesson'), sum: `−${price}` },
          { name: t(isOnTrust ? 'trustOwe' : 'youKeep'), sum: formatNumber(Math.abs(left)) },
        ]}
      />
      {share > 0 && (
        <p className={styles.help}>
          {t(isOnTrust ? 'authorGetsLater' : 'authorGets', { share: formatNumber(share) })}
        </p>
      )}
    </Dialog>
  )
}
