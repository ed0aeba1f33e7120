import type { Figures, SumName, Sums } from '#contract/figures.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { conversionOf, toGroups, UNITS } from '#web/items/figures/groups.ts'
import { useShare } from '#web/items/figures/share.ts'
import { Tile, Tiles } from '#web/ui/figures/Tiles.tsx'

type Period = Pick<Figures, 'days' | 'from' | 'to' | 'viewsSince' | 'total' | 'before' | 'rows'>

const TILES: readonly (readonly [SumName | 'conversion', MessageKey])[] = [
  ['views', 'views'],
  ['unlocks', 'economyUnlocks'],
  ['conversion', 'authorConversion'],
  ['done', 'authorDone'],
  ['likes', 'likes'],
  ['comments', 'comments'],
  ['ratings', 'ratings'],
  ['earned', 'authorEarned'],
  ['returned', 'authorReturned'],
]

/** Courses have no views of their own. */
export function Totals({
  period,
  hasViews = true,
}: {
  readonly period: Period
  readonly hasViews?: boolean
}) {
  const { t, formatNumber, formatPercent } = useText()
  const formatShare = useShare()
  const { days, from, to, total, before, rows, viewsSince } = period
  if (from === null || to === null) return null
  const groups = toGroups(rows, { from, to, unit: UNITS[days] })
  const read = (name: (typeof TILES)[number][0], sums: Sums) =>
    name === 'conversion' ? conversionOf(sums) : sums[name]
  const changeOf = (name: (typeof TILES)[number][0]) => {
    const [now, past] = [read(name, total), before && read(name, before)]
    if (now === null || past === null || past <= 0 || now === past) return undefined
    const percent = formatPercent(Math.abs(now - past) / past)
    return {
      shown: `${now < past ? '−' : '+'}${percent}`,
      said: t(now < past ? 'numbersDown' : 'numbersUp', { percent, days: Number(days) }),
    }
  }
  const valueOf = (name: (typeof TILES)[number][0]) => {
    const value = read(name, total)
    if (value === null || (name === 'views' && viewsSince === null)) return '–'
    return name === 'conversion' ? formatShare(value) : formatNumber(value)
  }
  return (
    <>
      <h2 className="sr">{t('authorTotals')}</h2>
      <Tiles>
        {TILES.filter(([name]) => hasViews || (name !== 'views' && name !== 'conversion')).map(
          ([name, word]) => (
            <Tile
              key={name}
              name={t(word)}
              value={valueOf(name)}
              change={changeOf(name)}
              line={name === 'conversion' ? [] : groups.map((group) => group[name])}
            />
          ),
        )}
      </Tiles>
    </>
  )
}
