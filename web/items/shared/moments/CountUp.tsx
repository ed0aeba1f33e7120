import { useText } from '#web/core/i18n.tsx'
import { useCount } from '#web/core/moments/use-count.ts'
import { Coin } from '#web/ui/points/Coin.tsx'
import styles from './Published.module.css'

interface CountUpProps {
  readonly from: number
  readonly to: number
}

/** A balance that counts up once. Screen readers and people who prefer reduced motion get the final value. */
export function CountUp({ from, to }: CountUpProps) {
  const { t, formatNumber } = useText()
  const shown = useCount(to, from)
  return (
    <p data-balance className={styles.now}>
      <Coin />
      <span className="num" aria-hidden="true">
        {formatNumber(shown)}
      </span>
      <span className="sr">{`${formatNumber(to)} ${t('kbPoints')}`}</span>
    </p>
  )
}
