import { useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import { titleOf } from '#web/layout/DocumentHead.tsx'
import NotFoundPage from '#web/layout/NotFoundPage.tsx'
import { Button } from '#web/ui/Button.tsx'

/** What a loader or a page has thrown: nothing found, or the spec's error screen with status and text. */
export function ErrorPage() {
  const { t } = useText()
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? error.status : 500
  const message = messageOf(error)
  const title = titleOf(t(status === 404 ? 'notFoundTitle' : 'errorTitle'), t('brand'))
  useEffect(() => {
    document.title = title
  }, [title])
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
