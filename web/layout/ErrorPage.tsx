import { useEffect, useState } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { reloadIfUpgraded } from '#web/core/router/upgrade.ts'
import { titleOf } from '#web/layout/DocumentHead.tsx'
import NotFoundPage from '#web/layout/NotFoundPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Empty.module.css'

/** Shows what a loader or page threw: "not found", or the error screen that the specification requires. */
export function ErrorPage() {
  const { t } = useText()
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? error.status : 500
  const message = textIn(error, 'message')
  const asking = useUpgrade(error)
  const title = titleOf(t(status === 404 ? 'notFoundTitle' : 'errorTitle'), t('brand'))
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    // Offline, only the service worker can serve another page, and only as a document.
    if (!navigator.onLine && (navigator.serviceWorker?.controller ?? null) !== null)
      window.location.reload()
  }, [])
  if (asking) return <div className="stray" aria-busy="true" />
  if (status === 404) return <NotFoundPage message={message} />
  if (textIn(error, 'key') === 'factorDemanded') return <FactorDemanded message={message} />
  return (
    <Empty
      drawing="torn"
      as="h1"
      title={t('errorTitle')}
      step={
        <p className={classes('row', styles.waysOn)}>
          <Button kind="main" icon="retry" onClick={() => window.location.reload()}>
            {t('errorRetry')}
          </Button>
          <ButtonLink as={Link} to={to.lessons()}>
            {t('notFoundStep')}
          </ButtonLink>
        </p>
      }
    >
      <strong>
        {t('errorStatus', { status: String(status), text: message ?? t('somethingWrong') })}
      </strong>
      <br />
      {t('errorWhat')}
    </Empty>
  )
}

/**
 * An error that no loader threw may mean a new deployment: a file is gone, or an answer has a new format. True while
 * that is checked; afterwards the page reloads or shows the error.
 */
function useUpgrade(error: unknown): boolean {
  const mayBe = useHydrated() && !isRouteErrorResponse(error)
  const [judged, setJudged] = useState<unknown>(null)
  useEffect(() => {
    if (!mayBe) return
    let isHere = true
    void reloadIfUpgraded().then((reloads) => {
      if (isHere && !reloads) setJudged(error)
    })
    return () => {
      isHere = false
    }
  }, [mayBe, error])
  return mayBe && judged !== error
}

/** An administrator must set up a second factor first, so a retry would not help. */
function FactorDemanded({ message }: { readonly message: string | undefined }) {
  const { t } = useText()
  return (
    <div className="stray">
      <h1>{t('factorTitle')}</h1>
      <p>
        <strong>{message}</strong>
      </p>
      <p>
        <ButtonLink as={Link} kind="main" icon="lock" to={`${to.account()}#second-factor`}>
          {t('factorAsk')}
        </ButtonLink>
      </p>
    </div>
  )
}

/** Loaders put the server's message and its key there. Other errors must not be shown. */
function textIn(error: unknown, name: 'message' | 'key'): string | undefined {
  const data: unknown = isRouteErrorResponse(error) ? error.data : undefined
  if (typeof data !== 'object' || data === null) return undefined
  const value: unknown = Reflect.get(data, name)
  return typeof value === 'string' ? value : undefined
}
