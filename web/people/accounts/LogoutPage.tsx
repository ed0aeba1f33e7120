import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { accounts } from '#contract/accounts.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { Link } from '#web/core/router/Link.tsx'
import { forgetUnstored } from '#web/core/storage/draft-store.ts'
import { hasDrafts } from '#web/core/storage/drafts.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { clearSession, useSession } from '#web/core/session.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import styles from '#web/ui/inputs/Form.module.css'

type Step = 'waiting' | 'leaving' | 'failed'

/**
 * Signs out at once with JavaScript, and by the button without. Drafts are sent to the server first; if some would be
 * lost, it asks.
 */
export default function LogoutPage() {
  const { t } = useText()
  const { asks, isBusy, reason, leave } = useLogout()
  return (
    <div className={styles.slip}>
      <form
        className={styles.form}
        method="post"
        action={to.logout()}
        encType="text/plain"
        aria-labelledby="leave"
        onSubmit={(event) => {
          event.preventDefault()
          void leave()
        }}
      >
        <div>
          <h1 id="leave">{asks ? t('logoutDraftTitle') : t('logoutTitle')}</h1>
          <p className="quiet" role="status">
            {isBusy ? t('logoutBusy') : asks ? t('logoutDraftWhat') : t('logoutAsk')}
          </p>
        </div>
        {reason !== undefined && (
          <Alert heading={t('error')} focus>
            {reason}
          </Alert>
        )}
        <div className="row">
          <Button type="submit" kind={asks ? 'risk' : 'main'} busy={isBusy}>
            {asks ? t('logoutDraftSubmit') : t('logoutSubmit')}
          </Button>
          <ButtonLink as={Link} to={to.home()}>
            {t('logoutStay')}
          </ButtonLink>
        </div>
      </form>
    </div>
  )
}

/** Starts once the drafts were sent, unless some would be lost. */
function useLogout() {
  const navigate = useNavigate()
  const [step, setStep] = useState<Step>('waiting')
  const [reason, setReason] = useState<string>()
  const started = useRef(false)
  const hydrated = useHydrated()
  const person = useSession()
  const id = person?._id
  // Null until the drafts were sent.
  const [unsent, setUnsent] = useState<boolean | null>(null)
  const isLooking = hydrated && id !== undefined && unsent === null

  const leave = useCallback(async () => {
    if (isLooking) return
    started.current = true
    setStep('leaving')
    setReason(undefined)
    // Loads the module while the session still exists. Without it, sweepPictures deletes the pictures later.
    const pictures =
      unsent === true ? await import('#web/core/storage/draft-pictures.ts').catch(() => null) : null
    try {
      await api(accounts.logout, {})
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setStep('failed')
      setReason(error.message)
      return
    }
    const forgotten = id === undefined ? undefined : pictures?.forgetPictures(id)
    clearSession()
    if (id !== undefined) forgetUnstored(id)
    await forgotten
    await navigate(to.home(), { replace: true })
  }, [navigate, unsent, id, isLooking])

  useEffect(() => {
    if (!hydrated || id === undefined || started.current) return
    const look = async () => {
      if (hasDrafts(id)) {
        const sending = await import('#web/core/storage/draft-sending.ts').catch(() => null)
        await sending?.sendLast(id)
      }
      return hasDrafts(id)
    }
    look().then(setUnsent, () => setUnsent(true))
  }, [hydrated, id])
  useEffect(() => {
    if (unsent === false && !started.current) void leave()
  }, [unsent, leave])

  const isBusy = isLooking || step === 'leaving'
  return { asks: unsent === true && step === 'waiting', isBusy, reason, leave }
}
