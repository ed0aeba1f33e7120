/** A purchase with an optimistic balance, which the server's number replaces. */
import { useRef, useState } from 'react'
import { points } from '#contract/points.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { useKeptAhead } from '#web/core/offline/use-kept-ahead.ts'
import { addPoints, currentPerson, setPoints } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import type { Offer } from '#web/items/purchases/BuyDialog.tsx'

interface Failure {
  readonly text: string
  /** A retry would not help, and no points were taken. */
  readonly final: boolean
  /** The answer was lost, so the server may have made the purchase. */
  readonly unsure: boolean
  readonly count: number
}

export interface Purchase {
  readonly buy: () => Promise<void>
  readonly busy: boolean
  readonly failure: Failure | null
  /** Call it when the dialog closes. */
  readonly forget: () => void
}

/** Ignores a second press during the request. */
export function usePurchase(offer: Offer): Purchase {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  // A ref, because state updates too late for two quick presses.
  const asked = useRef(false)
  const failures = useRef(0)
  const keepAhead = useKeptAhead()

  const buy = async () => {
    if (asked.current) return
    asked.current = true
    setBusy(true)
    setFailure(null)
    const taken = Math.min(offer.price, currentPerson()?.kbPoints ?? 0)
    addPoints(-taken)
    try {
      const { kbPoints } = await offer.buy()
      setPoints(kbPoints)
      toast(
        t(offer.kind === 'course' ? 'successBoughtCourse' : 'successBoughtLesson'),
        'done',
        true,
      )
      offer.onBought()
      keepAhead()
    } catch (error) {
      addPoints(taken)
      const isThere = await readBalance()
      if (error instanceof ApiError && error.status === 409) {
        toast(error.message, 'done')
        offer.onHeld()
      } else {
        failures.current += 1
        const status = error instanceof ApiError ? error.status : 0
        const text = error instanceof ApiError ? error.message : t('somethingWrong')
        setFailure({
          text,
          final: status === 404 || status === 403,
          unsure: status === 0 && isThere,
          count: failures.current,
        })
      }
    } finally {
      asked.current = false
      setBusy(false)
    }
  }
  return { buy, busy, failure, forget: () => setFailure(null) }
}

/** Another tab or a lost answer may have changed the balance. Returns whether the server was reached. */
async function readBalance(): Promise<boolean> {
  try {
    setPoints((await api(points.show, {})).kbPoints)
    return true
  } catch {
    // The next token renewal updates the balance.
    return false
  }
}
