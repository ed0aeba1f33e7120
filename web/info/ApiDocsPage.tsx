import { useText, Rich } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/info/ApiDocsPage.data.ts'
import { ApiCall } from '#web/info/ApiCall.tsx'
import styles from './ApiDocsPage.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

/** Works without JavaScript. */
export default function ApiDocsPage() {
  const { nouns } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <div className={styles.docs}>
      <h1>{t('docsTitle')}</h1>
      <p className={itemStyles.lede}>
        {/* A plain link, because it is not a page of the router. */}
        <Rich id="docsLead" components={{ a: <a href="/api/openapi.json" /> }} />
      </p>
      <p>
        <Rich id="docsBase" components={{ code: <code /> }} />
      </p>
      <p>
        <Rich id="docsErrors" components={{ code: <code /> }} />
      </p>
      <nav aria-label={t('docsContents')}>
        <ul className="row">
          {nouns.map(({ name }) => (
            <li key={name}>
              <a href={`#${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      {nouns.map(({ name, calls }) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name}>{name}</h2>
          {calls.map((call) => (
            <ApiCall key={call.id} call={call} />
          ))}
        </section>
      ))}
    </div>
  )
}
