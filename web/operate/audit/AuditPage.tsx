import type { AuditRun } from '#contract/audit.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/operate/audit/AuditPage.data.ts'
import { wordsOfRule } from '#web/operate/audit/audit-words.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/core/time/Time.tsx'
import styles from '#web/operate/desk/Desk.module.css'

export default function AuditPage() {
  const { last, underWay, counts } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <DeskPage
      here="audit"
      title={t('deskAudit')}
      counts={counts}
      beside={
        <p className="quiet num">
          {last?.finished && (
            <>
              {t('auditEnded')} <Time date={last.finished} form="moment" />{' '}
            </>
          )}
          {underWay !== null && t('auditUnderWay', { steps: underWay.steps })}
        </p>
      }
    >
      <p className="quiet">
        <Rich id="auditHelp" components={{ code: <code /> }} />
      </p>
      {last === null ? (
        <Empty drawing="tray" title={t('auditNone')}>
          {t('auditNoneHelp')}
        </Empty>
      ) : (
        <Result run={last} />
      )}
    </DeskPage>
  )
}

function Result({ run: { findings, unproved } }: { readonly run: AuditRun }) {
  const { t, formatNumber } = useText()
  if (findings.length === 0 && unproved.length === 0)
    return (
      <p className={styles.deskNote} role="note">
        <Icon name="check" />
        <span>{t('auditWell')}</span>
      </p>
    )
  return (
    <>
      <p className={styles.deskNote} role="note">
        <Icon name="warn" />
        <span>
          {findings.length > 0 ? t('auditWrong', { count: findings.length }) : t('auditUnsure')}
        </span>
      </p>
      {findings.length > 0 && (
        <DeskTable
          label={t('auditFindings')}
          rows={findings}
          keyOf={({ rule }) => rule}
          columns={[
            {
              name: t('auditRule'),
              kind: 'what',
              cell: ({ rule, what }) => <Rule rule={rule} unknown={what} />,
            },
            {
              name: t('auditCount'),
              kind: 'number',
              cell: ({ count }) => <span className="num">{formatNumber(count)}</span>,
            },
            {
              name: t('auditIds'),
              cell: ({ count, ids }) => (
                <>
                  {ids.join('; ')}
                  {count > ids.length && ` ${t('auditMore', { count: count - ids.length })}`}
                </>
              ),
            },
          ]}
        />
      )}
      {unproved.length > 0 && (
        <>
          <h2 className={styles.deskPart}>{t('auditUnproved')}</h2>
          <DeskTable
            label={t('auditUnproved')}
            rows={unproved}
            keyOf={({ why }) => why}
            columns={[
              {
                name: t('auditRule'),
                kind: 'what',
                cell: ({ rule }) => <Rule rule={rule} unknown={rule} />,
              },
              { name: t('auditWhy'), cell: ({ why }) => <span lang="en">{why}</span> },
            ]}
          />
        </>
      )}
    </>
  )
}

interface RuleProps {
  readonly rule: string
  /** The rule's English sentence, for a rule that only a newer version knows. */
  readonly unknown: string
}

function Rule({ rule, unknown }: RuleProps) {
  const { t } = useText()
  const words = wordsOfRule(rule)
  return words === null ? unknown : t(words)
}
