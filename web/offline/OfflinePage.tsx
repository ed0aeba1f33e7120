import { useEffect, useState } from 'react'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { type KeptPage, listKept } from '#web/core/offline/worker-client.ts'
import { nextPath } from '#contract/next-path.ts'
import { to } from '#web/core/paths.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import styles from './OfflinePage.module.css'
import { classes } from '#web/ui/classes.ts'
import emptyStyles from '#web/ui/styles/Empty.module.css'

/** Replaces a page that is not available offline, and lists those that are. */
export default function OfflinePage() {
  const { t } = useText()
  const hydrated = useHydrated()
  const [kept, setKept] = useState<readonly KeptPage[]>([])
  useEffect(() => {
    let isHere = true
    listKept()
      .then((pages) => isHere && setKept(pages))
      // Without the list, the page still says what is wrong.
      .catch(() => undefined)
    return () => {
      isHere = false
    }
  }, [])
  // The wanted path is in the hash, which the server does not see.
  const wanted = hydrated ? nextPath(window.location.hash.slice(1)) : to.home()
  return (
    <>
      <Empty
        drawing="torn"
        as="h1"
        title={t('offlineTitle')}
        step={
          <p className={classes('row', emptyStyles.waysOn)}>
            <ButtonLink as="a" kind="main" icon="retry" href={wanted}>
              {t('errorRetry')}
            </ButtonLink>
          </p>
        }
      >
        {t('offlineWhat')}
      </Empty>
      {kept.length > 0 && (
        <section className={styles.keptPages} aria-labelledby="kept">
          <h2 id="kept">{t('offlineKept')}</h2>
          <ul>
            {kept.map(({ path, title, at }) => (
              <li key={path}>
                {/* A plain link, because only the service worker can answer offline. */}
                <a href={path} lang={textLanguage(title)} dir="auto">
                  {title}
                </a>
                <span className="quiet small">
                  <Time date={new Date(at).toISOString()} form="ago" />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
