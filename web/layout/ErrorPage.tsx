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

/** What a loader or a page has thrown: nothing found, or the spec's error screen with status and text. */
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
    // Without a network another page can come from this browser alone: as a document, which its worker answers.
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

/** An administrator who has to set up a second factor first: trying again would help nobody. */
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

/** Loaders put the server's sentence and its key there; what else was thrown is nobody's business. */
function textIn(error: unknown, name: 'message' | 'key'): string | undefined {
  const data: unknown = isRouteErrorResponse(error) ? error.data : undefined
  if (typeof data !== 'object' || data === null) return undefined
  const value: unknown = Reflect.get(data, name)
  return typeof value === 'string' ? value : undefined
}
