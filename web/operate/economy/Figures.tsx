import { type Figure, type FigureName, HEALTHY } from '#contract/economy.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Economy.module.css'

interface Words {
  readonly name: MessageKey
  readonly help: MessageKey
  /** Advice when the figure is too low or too high. A figure without that bound has none. */
  readonly low?: MessageKey
  readonly high?: MessageKey
}

const WORDS: Readonly<Record<FigureName, Words>> = {
  newcomers: {
    name: 'economyNewcomersName',
    help: 'economyNewcomersHelp',
    low: 'economyNewcomersLow',
  },
  daysToUnlock: { name: 'economyDaysName', help: 'economyDaysHelp', high: 'economyDaysHigh' },
  spentOfMade: {
    name: 'economySpentName',
    help: 'economySpentHelp',
    low: 'economySpentLow',
    high: 'economySpentHigh',
  },
  withheld: {
    name: 'economyWithheldName',
    help: 'economyWithheldHelp',
    high: 'economyWithheldHigh',
  },
  gini: { name: 'economyGiniName', help: 'economyGiniHelp', high: 'economyGiniHigh' },
  topShare: { name: 'economyTopName', help: 'economyTopHelp', high: 'economyTopHigh' },
}

const STATES = {
  healthy: 'economyHealthy',
  low: 'economyTooLow',
  high: 'economyTooHigh',
  unknown: 'economyUnknown',
} as const satisfies Record<Figure['state'], MessageKey>

export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <ul className={styles.figures}>
      {figures.map((figure) => (
        <FigureCard key={figure.name} figure={figure} />
      ))}
    </ul>
  )
}

function FigureCard({ figure: { name, value, state } }: { readonly figure: Figure }) {
  const { t, formatNumber, formatPercent } = useText()
  const words = WORDS[name]
  const format = (number: number) => {
    if (name !== 'daysToUnlock') return formatPercent(number)
    const days = Math.round(number * 10) / 10
    return t('economyDays', { days, text: formatNumber(days) })
  }
  const { min, max } = HEALTHY[name]
  const bounds = {
    min: min === undefined ? '' : format(min),
    max: max === undefined ? '' : format(max),
  }
  const range =
    min === undefined ? 'economyAtMost' : max === undefined ? 'economyAtLeast' : 'economyBetween'
  const advice = state === 'low' || state === 'high' ? words[state] : undefined
  return (
    <li>
      <h2>{t(words.name)}</h2>
      <p className={styles.value}>
        <b className="num">{value === null ? '–' : format(value)}</b>
        <span className={advice && styles.wrong}>
          {state !== 'unknown' && <Icon name={advice === undefined ? 'check' : 'warn'} />}
          {t(STATES[state])}
        </span>
      </p>
      <p className="quiet small">
        {t(words.help)} {t(range, bounds)}
      </p>
      {advice && <p className={styles.advice}>{t(advice)}</p>}
    </li>
  )
}
