import { Link } from '#web/core/router/Link.tsx'
import type { ReactNode } from 'react'
import {
  APPEALABLE_REASONS,
  WITHHELD_WORDS,
  type Entry,
  type EntryReason,
} from '#contract/points.ts'
import { OPENS } from '#web/core/router/arrival.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Time } from '#web/core/time/Time.tsx'
import { sentenceOf } from '#web/people/points/entry-words.ts'
import { LedgerCell, LedgerLine } from '#web/ui/points/Ledger.tsx'

/** Administrators usually give a reason for these. */
const ADMINISTRATORS: ReadonlySet<EntryReason> = new Set(['edited', 'deletedByAdministrator'])

export function EntryLine({ entry }: { readonly entry: Entry }) {
  const { t, formatNumber } = useText()
  const { amount, reason, lessonTitle, note, item, date, balance } = entry
  const isIn = amount > 0 || (amount === 0 && reason === 'rewardWithheld')
  return (
    <LedgerLine>
      <LedgerCell kind="d">
        <Time date={date} form="day" />{' '}
        <span className="quiet small">
          <Time date={date} form="clock" />
        </span>
      </LedgerCell>
      <LedgerCell>
        <Rich
          id={sentenceOf(entry)}
          values={{ title: item?.title ?? '' }}
          components={{ item: <ItemName item={item} opens={OPENED.has(reason)} /> }}
        />
        <Withheld entry={entry} />
        {lessonTitle !== undefined && <Note>{t('pointsLessonGone', { lesson: lessonTitle })}</Note>}
        {note !== undefined && <Note>{t('pointsReason', { reason: note })}</Note>}
        {note === undefined && ADMINISTRATORS.has(reason) && <Note>{t('pointsNoReason')}</Note>}
      </LedgerCell>
      <LedgerCell kind="n in">
        {isIn ? (amount === 0 ? '0' : `+${formatNumber(amount)}`) : null}
      </LedgerCell>
      <LedgerCell kind="n">{amount < 0 ? `−${formatNumber(-amount)}` : null}</LedgerCell>
      <LedgerCell kind="n sum" name={t('pointsBalance')}>
        {formatNumber(balance)}
      </LedgerCell>
    </LedgerLine>
  )
}

/** Says why a reward was withheld. If contents were compared, it leads to the decision and the appeal. */
function Withheld({ entry: { item, rewardReason } }: { readonly entry: Entry }) {
  const { t } = useText()
  if (rewardReason === undefined) return null
  const words = t(WITHHELD_WORDS[rewardReason])
  const isDecision =
    item?.kind === 'lesson' && !item.gone && APPEALABLE_REASONS.includes(rewardReason)
  return (
    <Note>{isDecision ? <Link to={to.appeal(`reward-${item.id}`)}>{words}</Link> : words}</Note>
  )
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <br />
      <span className="quiet small">{children}</span>
    </>
  )
}

/** The reader has access to the item after these. */
const OPENED: ReadonlySet<Entry['reason']> = new Set([
  'created',
  'rewardWithheld',
  'bought',
  'trusted',
])

interface ItemNameProps {
  readonly item: Entry['item']
  readonly opens: boolean
  /** The message puts in the title. */
  readonly children?: ReactNode
}

/** Links to the item unless it was deleted. */
function ItemName({ item, opens, children }: ItemNameProps) {
  if (item === undefined || item.gone)
    return (
      <i className="serif" dir="auto">
        {children}
      </i>
    )
  return (
    <Link
      to={item.kind === 'lesson' ? to.lesson(item.id) : to.course(item.id)}
      state={opens ? OPENS : undefined}
      dir="auto"
    >
      {children}
    </Link>
  )
}
