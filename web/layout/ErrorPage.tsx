import { useEffect, useState } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { reloadIfUpgraded } from '#web/core/router/upgrade.ts'
import { titleOf } from '#web/layout/DocumentHead.tsx'
import NotFoundPage from '#web/layout/NotFoundPage.tsx'
import { Button } from '#web/ui/Button.tsx'

/** What a loader or a page has thrown: nothing found, or the spec's error screen with status and text. */
export function ErrorPage() {
  const { t } = useText()
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? error.status : 500
  const message = messageOf(error)
  const asking = useUpgrade(error)
  const title = titleOf(t(status === 404 ? 'notFoundTitle' : 'errorTitle'), t('brand'))
  useEffect(() => {
    document.title = title
  }, [title])
  if (asking) return <div className="stray" aria-busy="true" />
  if (status === 404) return <NotFoundPage message={message} />
  return (
    <div className="stray">
      <h1>{t('errorTitle')}</h1>
      <p>
        <strong>
          {t('errorStatus', { status: String(status), text: message ?? t('somethingWrong') })}
        </strong>
      </p>
      <p className="quiet">{t('errorWhat')}</p>
      <p>
        <Button kind="main" icon="retry" onClick={() => window.location.reload()}>
          {t('errorRetry')}
        </Button>
      </p>
    </div>
  )
}

/**
 * What no loader threw may be a piece of the page that an upgrade took away, or an answer that only newer pages
 * understand. True while that is being found out; the page then starts again, or says what happened.
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

/** Loaders put the server's sentence there; what else was thrown is nobody's business. */
function messageOf(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined
  const data: unknown = error.data
  return typeof data === 'object' &&
    data !== null &&
    'message' in data &&
    typeof data.message === 'string'
    ? data.message
    : undefined
}
