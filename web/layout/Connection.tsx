import { useEffect, useState, useSyncExternalStore } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { onRetryChange, readRetry } from '#web/core/router/retry.ts'
import { useSession } from '#web/core/session.ts'
import { Button } from '#web/ui/Button.tsx'

type Update = typeof import('#web/core/offline/worker-client.ts')

/** A line at the foot of the window: the network is away, or a newer version waits for one's word. */
export function Connection() {
  const { t } = useText()
  const isOnline = useSyncExternalStore(
    onConnection,
    () => navigator.onLine,
    () => true,
  )
  const update = useUpdate()
  const [later, setLater] = useState(false)
  const retry = useSyncExternalStore(onRetryChange, readRetry, () => null)
  const offers = update !== null && !later && isOnline && retry === null
  return (
    <div className="connection" role="status">
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
          <Button onClick={() => update.takeUpdate()}>{t('updateTake')}</Button>
          <Button kind="bare" onClick={() => setLater(true)}>
            {t('updateLater')}
          </Button>
        </>
      )}
    </div>
  )
}

/** What takes the newer version, once one waits; only the signed-in have a worker that could be replaced. */
function useUpdate(): Update | null {
  const isSignedIn = useSession() !== null
  const [update, setUpdate] = useState<Update | null>(null)
  useEffect(() => {
    if (!isSignedIn || !('serviceWorker' in navigator)) return undefined
    let end = () => {}
    void navigator.serviceWorker
      .getRegistration()
      .then(async (registration) => {
        if (registration === undefined) return
        const client = await import('#web/core/offline/worker-client.ts')
        const notice = () => client.isUpdateWaiting() && setUpdate(client)
        end = client.onUpdate(notice)
        notice()
      })
      // Without storage, or without a network: then none is offered.
      .catch(() => undefined)
    return () => end()
  }, [isSignedIn])
  return update
}

function onConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
