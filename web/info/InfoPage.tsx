import type { MessageKey } from '#contract/messages/messages.ts'
import type { ReactNode } from 'react'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useSettings } from '#web/core/settings.ts'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import type { MessageValues } from '#contract/message.ts'
import styles from './InfoPage.module.css'
import stallSideStyles from '#web/ui/books/StallSide.module.css'

export interface InfoSection {
  readonly title: MessageKey
  readonly paragraphs: readonly MessageKey[]
  readonly list?: readonly MessageKey[]
}

interface InfoPageProps {
  readonly title: MessageKey
  readonly lead: MessageKey
  readonly sections: readonly InfoSection[]
  readonly values?: MessageValues
  /** What a reader may do next; shown below the first section. */
  readonly next?: ReactNode
}

export function InfoPage({ title, lead, sections, values = {}, next }: InfoPageProps) {
  const { t } = useText()
  const { mail } = useSettings()
  const components = { mail: <a href={`mailto:${mail}`} /> }
  const filled = { ...values, address: mail }
  return (
    <div className={stallSideStyles.readBeside}>
      <article className={styles.info}>
        <h1>{t(title)}</h1>
        <p className={styles.infoLead}>{t(lead)}</p>
        {sections.map((section, place) => (
          <section key={section.title}>
            <h2>{t(section.title)}</h2>
            {section.paragraphs.map((key) => (
              <p key={key}>
                <Rich id={key} values={filled} components={components} />
              </p>
            ))}
            {section.list !== undefined && (
              <ul>
                {section.list.map((key) => (
                  <li key={key}>{t(key, values)}</li>
                ))}
              </ul>
            )}
            {place === 0 && next !== undefined && <div className={styles.next}>{next}</div>}
          </section>
        ))}
      </article>
      <StallSide drawing="book" />
    </div>
  )
}
