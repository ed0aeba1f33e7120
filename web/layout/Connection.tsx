import { useEffect, useState, useSyncExternalStore } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { isUpdateWaiting, onUpdate, takeUpdate } from '#web/core/offline/worker-client.ts'
import { onRetryChange, readRetry } from '#web/core/router/retry.ts'
import { useSession } from '#web/core/session.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './Layout.module.css'

/** A line at the foot of the window: offline, a retry, or a new version that waits for the user. */
export function Connection() {
  const { t } = useText()
  const isOnline = useSyncExternalStore(
    onConnection,
    () => navigator.onLine,
    () => true,
  )
  const isUpdateReady = useUpdate()
  const [later, setLater] = useState(false)
  const retry = useSyncExternalStore(onRetryChange, readRetry, () => null)
  const offers = isUpdateReady && !later && isOnline && retry === null
  return (
    <div className={styles.connection} role="status">
      {!isOnline && retry === null && <p>{t('offlineNow')}</p>}
      {retry !== null && (
        <>
          <p>{t('networkAway')}</p>
          <Button icon="retry" onClick={retry}>
            {t('tryAgain')}
          </Button>
        </>
      )}
      {offers && (
        <>
          <p>{t('updateReady')}</p>
          <Button onClick={takeUpdate}>{t('updateTake')}</Button>
          <Button kind="bare" onClick={() => setLater(true)}>
            {t('updateLater')}
          </Button>
        </>
      )}
    </div>
  )
}

/** Only signed-in users have a service worker. */
function useUpdate(): boolean {
  const isSignedIn = useSession() !== null
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!isSignedIn || !('serviceWorker' in navigator)) return undefined
    let end = () => {}
    void navigator.serviceWorker
      .getRegistration()
      .then((registration) => {
        if (registration === undefined) return
        const notice = () => setReady(isUpdateWaiting())
        end = onUpdate(notice)
        notice()
      })
      // Without storage, no update is offered.
      .catch(() => undefined)
    return () => end()
  }, [isSignedIn])
  return isReady
}

function onConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
