import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import type { Call, CallField } from '#web/info/openapi-outline.ts'
import styles from '#web/ui/points/Ledger.module.css'

const accesses: Readonly<Record<Call['access'], MessageKey>> = {
  anybody: 'docsAnybody',
  user: 'docsUser',
  cookie: 'docsCookie',
}

const places: Readonly<Record<CallField['place'], MessageKey>> = {
  path: 'docsInPath',
  query: 'docsInQuery',
  json: 'docsInJson',
  form: 'docsInForm',
}

/** The contract's summaries are in English. */
export function ApiCall({ call }: { readonly call: Call }) {
  const { t } = useText()
  const { id, methods, path, access, summary, fields, answers } = call
  return (
    <article aria-labelledby={`call-${id}`}>
      <h3 id={`call-${id}`}>
        <code>
          {methods.join(', ')} {path}
        </code>
      </h3>
      <p lang="en">{summary}</p>
      <dl>
        <dt>{t('docsAccess')}</dt>
        <dd>{t(accesses[access])}</dd>
        <dt>{t('docsAnswers')}</dt>
        {answers.map((answer) => (
          <dd key={answer.status}>
            <code>{answer.status}</code>{' '}
            {answer.type === null ? t('docsNoBody') : <code>{answer.type}</code>}
          </dd>
        ))}
      </dl>
      {fields.length > 0 && <Fields fields={fields} />}
    </article>
  )
}

function Fields({ fields }: { readonly fields: readonly CallField[] }) {
  const { t } = useText()
  return (
    <table className={styles.ledger}>
      <caption className="sr">{t('docsFields')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('docsField')}</th>
          <th scope="col">{t('docsPlace')}</th>
          <th scope="col">{t('docsType')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, place, type, required }) => (
          <tr key={`${place} ${name}`}>
            <td>
              <code>{name}</code>
            </td>
            <td>{t(places[place])}</td>
            <td>
              <code>{type}</code>
              {!required && <span className="quiet small"> {t('docsOptional')}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
