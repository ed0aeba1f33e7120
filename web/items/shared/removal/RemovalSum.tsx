import { useEffect, useState } from 'react'
import { ApiError } from '#web/core/api-error.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import {
  type RemovableItem,
  fetchRemoval,
  type LeftCourse,
  type Removal,
} from '#web/items/shared/removal/item-removal.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { RowSkeleton } from '#web/ui/Skeleton.tsx'
import { Breakdown } from '#web/ui/points/Breakdown.tsx'
import styles from './RemovalSum.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface RemovalSumProps {
  readonly item: RemovableItem
  /** True when an administrator deletes somebody else's item. */
  readonly isForeign: boolean
}

export function RemovalSum({ item: { kind, id }, isForeign }: RemovalSumProps) {
  const { t, formatNumber } = useText()
  const [removal, setRemoval] = useState<Removal | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let wanted = true
    const somethingWrong = t('somethingWrong')
    fetchRemoval(kind, id).then(
      (answer) => wanted && setRemoval(answer),
      (error: unknown) =>
        wanted && setFailure(error instanceof ApiError ? error.message : somethingWrong),
    )
    return () => {
      wanted = false
    }
  }, [kind, id, t])
  if (failure !== null) return <Alert heading={t('error')}>{failure}</Alert>
  if (removal === null) return <RowSkeleton label={t('deleteCounting')} count={3} />
  const { buyers, refund, shares, reward, kbPoints, debt, courses } = removal
  // A lesson counts towards at most one rewarded course.
  const loser = courses.find((course) => course.reward > 0)
  // Negative if there is a debt, so that the sum is right; the line below explains the debt.
  const keeps = kbPoints - debt
  return (
    <>
      <p>{t('deleteBuyers', { buyers, refund: formatNumber(refund) })}</p>{' '}
      {courses.length > 0 && <LeftCourses courses={courses} />}
      {reward === 0 && shares === 0 && loser === undefined ? (
        <p>{t('deleteNoReward')}</p>
      ) : (
        <Breakdown
          lines={[
            {
              name: t(isForeign ? 'ownerHas' : 'youHave'),
              sum: formatNumber(keeps + reward + shares + (loser?.reward ?? 0)),
            },
            ...(reward > 0 ? [{ name: t('deleteReward'), sum: `−${formatNumber(reward)}` }] : []),
            ...(shares > 0 ? [{ name: t('deleteShares'), sum: `−${formatNumber(shares)}` }] : []),
            ...(loser === undefined
              ? []
              : [
                  {
                    name: t('deleteCourseReward', { title: loser.title }),
                    sum: `−${formatNumber(loser.reward)}`,
                  },
                ]),
            {
              name: t(isForeign ? 'ownerKeeps' : 'youKeep'),
              sum: formatNumber(keeps),
            },
          ]}
        />
      )}
      {debt > 0 && <p className={fieldStyles.help}>{t('deleteDebt', { debt })}</p>}
    </>
  )
}

function LeftCourses({ courses }: { readonly courses: readonly LeftCourse[] }) {
  const { t, formatNumber } = useText()
  return (
    <>
      <p>{t('deleteLeaves', { count: courses.length })}</p>
      <ul className={styles.leaves}>
        {courses.map(({ id, title, reward }) => (
          <li key={id}>
            <Rich
              id={reward > 0 ? 'deleteCourseLoses' : 'deleteCourseStays'}
              values={{ title, reward: formatNumber(reward) }}
              components={{ b: <b lang={textLanguage(title)} dir="auto" /> }}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
