import { useId, useState } from 'react'
import type { ItemKind } from '#contract/points.ts'
import { ratings, type ItemRatings, type Rating } from '#contract/ratings.ts'
import { STARS } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { Quoted } from '#web/core/Quoted.tsx'
import { useSession } from '#web/core/session.ts'
import { mayReport, type ReportSubject } from '#web/items/flags/report-subject.ts'
import { ReportDialog } from '#web/items/flags/ReportDialog.tsx'
import type { Listed } from '#web/items/ratings/item-ratings.ts'
import { RatingLine } from '#web/items/ratings/RatingLine.tsx'
import { STAR_NUMBERS, StarRow } from '#web/items/ratings/StarRow.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Meter } from '#web/ui/Meter.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Ratings.module.css'

export interface RatingsProps {
  readonly kind: ItemKind
  readonly item: {
    readonly id: number
    readonly owner: string
    readonly rating: number | null
    readonly ratings: number
    readonly can: { readonly rate: boolean }
  }
  readonly listed: Listed
}

export function Ratings({ kind, item, listed }: RatingsProps) {
  const { t, formatNumber } = useText()
  const id = useId()
  const { list, failed, more, ask, showOlder, put, dropped, said } = listed
  const count = list?.count ?? item.ratings
  return (
    <section className={styles.ratings} aria-labelledby={id}>
      <h2 id={id}>
        {t(kind === 'course' ? 'ratingsOfCourse' : 'ratings')}{' '}
        <span className="quiet num">{formatNumber(count)}</span>
      </h2>
      <Summary
        average={list === null ? item.rating : list.average}
        count={count}
        spread={list?.spread ?? null}
      />
      <p className="sr" role="status">
        {said.times > 0 && <span key={said.times}>{t(said.word)}</span>}
      </p>
      {failed && (
        <p className="quiet">
          {t('ratingsFailed')}{' '}
          <Button kind="bare" icon="retry" onClick={ask}>
            {t('tryAgain')}
          </Button>
        </p>
      )}
      {list === null && !failed && count > 0 && (
        <Button icon="down" onClick={ask}>
          {t('ratingsShow')}
        </Button>
      )}
      {list !== null && (
        <Entries entries={list.entries} owner={item.owner} onChanged={put} onDeleted={dropped} />
      )}
      {more && (
        <Button icon="down" onClick={() => void showOlder()}>
          {t('ratingsOlder')}
        </Button>
      )}
    </section>
  )
}

interface EntriesProps {
  readonly entries: readonly Rating[]
  readonly owner: string
  readonly onChanged: (rating: Rating) => void
  readonly onDeleted: () => void
}

function Entries({ entries, owner, onChanged, onDeleted }: EntriesProps) {
  const { t } = useText()
  const person = useSession()
  const [deleted, setDeleted] = useState<Rating | null>(null)
  const [reported, setReported] = useState<ReportSubject | null>(null)
  const mayAnswer = person !== null && person._id === owner && person.suspended !== true
  const report = ({ id, text = '' }: Rating) => setReported({ kind: 'rating', id, name: text })
  return (
    <>
      {entries.map((rating) => (
        <RatingLine
          key={rating.id}
          rating={rating}
          mayAnswer={mayAnswer}
          onChanged={onChanged}
          onReport={person !== null && mayReport(person, rating.user) ? report : null}
          onDelete={person?.role === 'administrator' ? setDeleted : null}
        />
      ))}
      {deleted !== null && (
        <ConfirmDialog
          onClose={() => setDeleted(null)}
          title={t('ratingDelete')}
          step={{ label: t('delete'), kind: 'risk', icon: 'bin' }}
          act={() => api(ratings.removeMany, { ids: [deleted.id] })}
          onDone={onDeleted}
        >
          {deleted.text !== undefined && <Quoted text={deleted.text} />}
          <p>{t('ratingDeleteWords')}</p>
        </ConfirmDialog>
      )}
      <ReportDialog subject={reported} onClose={() => setReported(null)} />
    </>
  )
}

interface SummaryProps {
  readonly average: number | null
  readonly count: number
  readonly spread: ItemRatings['spread'] | null
}

/** The average in words and stars, with a bar for each number of stars. */
function Summary({ average, count, spread }: SummaryProps) {
  const { t, formatNumber } = useText()
  if (average === null)
    return <p className={styles.ratingNew}>{t(count === 0 ? 'ratingsNone' : 'ratingsFew')}</p>
  const most = Math.max(1, ...(spread ?? []))
  return (
    <div className={styles.ratingSummary}>
      <p>
        <b className={classes('num', styles.ratingAverage)}>{formatNumber(average)}</b>
        <StarRow stars={average} />
        <span className={classes('quiet small', styles.small)}>{t('ratingsFrom', { count })}</span>
      </p>
      {spread !== null && (
        <ul>
          {STAR_NUMBERS.toReversed().map((stars) => {
            const given = spread[stars - STARS.min] ?? 0
            const words = `${t('starsNumber', { stars })}: ${t('ratingsCount', { count: given })}`
            return (
              <li key={stars}>
                <span aria-hidden="true">{t('starsNumber', { stars })}</span>
                <Meter kind="bar-of" value={given} max={most} label={words} />
                <span className="num" aria-hidden="true">
                  {formatNumber(given)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
