import { useEffect, useState } from 'react'
import { lessons } from '#contract/lessons.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { RowBones } from '#web/ui/Bones.tsx'
import { Reckon } from '#web/ui/Reckon.tsx'

interface RemovalSumProps {
  /** The lesson's. */
  readonly id: number
  /** An administrator looks at somebody else's lesson. */
  readonly isForeign: boolean
}

type Removal = AnswerOf<typeof lessons.removal>

/** The buyers' refunds in a sentence, the owner's reward as a sum. */
export function RemovalSum({ id, isForeign }: RemovalSumProps) {
  const { t, formatNumber } = useText()
  const [removal, setRemoval] = useState<Removal | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let wanted = true
    const somethingWrong = t('somethingWrong')
    api(lessons.removal, { id }).then(
      (answer) => wanted && setRemoval(answer),
      (error: unknown) =>
        wanted && setFailure(error instanceof ApiError ? error.message : somethingWrong),
    )
    return () => {
      wanted = false
    }
  }, [id, t])
  if (failure !== null) return <Alert heading={t('error')}>{failure}</Alert>
  if (removal === null) return <RowBones label={t('deleteCounting')} count={3} />
  const { buyers, refund, reward, kbPoints, debt } = removal
  return (
    <>
      <p>{t('deleteBuyers', { buyers, refund: formatNumber(refund) })}</p>
      {reward === 0 ? (
        <p>{t('deleteNoReward')}</p>
      ) : (
        <Reckon
          lines={[
            {
              name: t(isForeign ? 'ownerHas' : 'youHave'),
              sum: formatNumber(kbPoints + reward - debt),
            },
            { name: t('deleteReward'), sum: `−${formatNumber(reward)}` },
            { name: t(isForeign ? 'ownerKeeps' : 'youKeep'), sum: formatNumber(kbPoints) },
          ]}
        />
      )}
      {debt > 0 && <p className="help">{t('deleteDebt', { debt })}</p>}
    </>
  )
}
