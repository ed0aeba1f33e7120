import type { FigureRange, ListedItem } from '#contract/figures.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { type Texts, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { conversionOf, starsOf } from '#web/items/figures/groups.ts'
import { useShare } from '#web/items/figures/share.ts'
import { Ledger, LedgerCell, LedgerColumn, LedgerLine } from '#web/ui/points/Ledger.tsx'
import styles from './Figures.module.css'

type Formats = Pick<Texts, 'formatNumber' | 'formatPercent'> & {
  formatShare: Texts['formatPercent']
}

const numberOr = (value: number | null, format: (value: number) => string) =>
  value === null ? '–' : format(value)

/** Courses have no views of their own. */
const viewsOf = ({ kind, views }: ListedItem) => (kind === 'course' ? null : views)

const COLUMNS: readonly (readonly [
  name: MessageKey,
  read: (item: ListedItem, formats: Formats) => string,
])[] = [
  ['views', (item, { formatNumber }) => numberOr(viewsOf(item), formatNumber)],
  ['economyUnlocks', ({ unlocks }, { formatNumber }) => formatNumber(unlocks)],
  ['authorConversion', (item, { formatShare }) => numberOr(conversionOf(item), formatShare)],
  ['authorDone', ({ done }, { formatNumber }) => formatNumber(done)],
  ['authorWatched', ({ watched }, { formatPercent }) => numberOr(watched, formatPercent)],
  ['checkLabel', ({ passed }, { formatPercent }) => numberOr(passed, formatPercent)],
  ['likes', ({ likes }, { formatNumber }) => formatNumber(likes)],
  ['comments', ({ comments }, { formatNumber }) => formatNumber(comments)],
  ['authorStars', (item, { formatNumber }) => numberOr(starsOf(item), formatNumber)],
  ['economyPoints', ({ earned, returned }, { formatNumber }) => formatNumber(earned - returned)],
]

interface ItemTableProps {
  readonly items: readonly ListedItem[]
  readonly days: FigureRange
}

/** On phones, each item is a block with its numbers below the title. */
export function ItemTable({ items, days }: ItemTableProps) {
  const texts = { ...useText(), formatShare: useShare() }
  const { t } = texts
  return (
    <div className={styles.items}>
      <Ledger
        caption={t('authorItems')}
        hideCaption
        head={
          <>
            <LedgerColumn>{t('title')}</LedgerColumn>
            {COLUMNS.map(([name]) => (
              <LedgerColumn key={name} kind="n">
                {t(name)}
              </LedgerColumn>
            ))}
          </>
        }
      >
        <tbody role="rowgroup">
          {items.map((item) => (
            <LedgerLine key={`${item.kind} ${item.id}`}>
              <LedgerCell>
                <Link
                  to={to.authorItem(item.kind, item.id, days)}
                  lang={textLanguage(item.title)}
                  dir="auto"
                >
                  {item.title}
                </Link>{' '}
                {item.kind === 'course' && <small className="quiet">{t('kindCourse')}</small>}
              </LedgerCell>
              {COLUMNS.map(([name, read]) => (
                <LedgerCell key={name} kind="n" name={t(name)}>
                  {read(item, texts)}
                </LedgerCell>
              ))}
            </LedgerLine>
          ))}
        </tbody>
      </Ledger>
      <p className="quiet small">{t('authorItemsHelp')}</p>
    </div>
  )
}
