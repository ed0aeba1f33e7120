import type { ReactNode } from 'react'
import { clockTime } from '#contract/clock-time.ts'
import { FEWEST_COUNTED, type Figures } from '#contract/figures.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import styles from './Figures.module.css'

/** What an author wants to know first. */
export function Summary({ figures: { best, stops, missed, days } }: { readonly figures: Figures }) {
  const { t } = useText()
  return (
    <div className={styles.summary}>
      <Panel
        title={t('authorBest')}
        none={best.length === 0 && t('authorBestNone', { days: Number(days) })}
      >
        {best.map(({ kind, id, title, unlocks }) => (
          <li key={`${kind} ${id}`}>
            <Title to={to.authorItem(kind, id, days)} title={title} />
            <span className="num">{t('authorUnlockedBy', { count: unlocks })}</span>
          </li>
        ))}
      </Panel>
      <Panel
        title={t('authorStops')}
        none={stops.length === 0 && t('authorStopsNone', { least: FEWEST_COUNTED })}
      >
        {stops.map(({ id, title, stopped, viewers, from, to: end }) => (
          <li key={id}>
            <Title to={to.authorItem('lesson', id, days)} title={title} />
            <span className="num">
              {t('authorStopped', {
                stopped,
                viewers,
                from: clockTime(from),
                to: clockTime(end),
              })}
            </span>
          </li>
        ))}
      </Panel>
      <Missed missed={missed} />
    </div>
  )
}

/** What people on the whole site looked for. */
export function Missed({ missed }: Pick<Figures, 'missed'>) {
  const { t } = useText()
  return (
    <Panel
      title={t('authorMissed')}
      help={t('authorMissedHelp', { least: FEWEST_COUNTED })}
      none={missed.length === 0 && t('authorMissedNone', { least: FEWEST_COUNTED })}
    >
      {missed.map(({ term, people }) => (
        <li key={term}>
          <b lang={textLanguage(term)} dir="auto">
            {term}
          </b>
          <span className="num">{t('authorMissedBy', { count: people })}</span>
        </li>
      ))}
    </Panel>
  )
}

function Title({ to: path, title }: { readonly to: string; readonly title: string }) {
  return (
    <Link to={path} lang={textLanguage(title)} dir="auto">
      {title}
    </Link>
  )
}

interface PanelProps {
  readonly title: string
  /** Shown below the list. */
  readonly help?: string
  /** Shown instead of the list. */
  readonly none: string | false
  readonly children: ReactNode
}

function Panel({ title, help, none, children }: PanelProps) {
  return (
    <section>
      <h2>{title}</h2>
      {none === false ? <ul>{children}</ul> : <p className="quiet">{none}</p>}
      {none === false && help !== undefined && <p className="quiet small">{help}</p>}
    </section>
  )
}
