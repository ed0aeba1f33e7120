import type { AuditRun } from '#contract/audit.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import type { loader } from '#web/moderation/AuditPage.data.ts'
import { wordsOfRule } from '#web/moderation/audit-words.ts'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Time } from '#web/core/time/Time.tsx'
import styles from '#web/moderation/desk/Desk.module.css'

/** What the nightly audit of the database and its files found. */
export default function AuditPage() {
  const { last, underWay, counts } = usePageData<typeof loader>()
  const { t } = useText()
  return (
    <>
      <DeskTabs here="audit" counts={counts} />
      <Head title={t('deskAudit')} as="h1">
        <p className="quiet num">
          {last?.finished && (
            <>
              {t('auditEnded')} <Time date={last.finished} form="moment" />{' '}
            </>
          )}
          {underWay !== null && t('auditUnderWay', { steps: underWay.steps })}
        </p>
      </Head>
      <p className="quiet">{t('auditHelp')}</p>
      {last === null ? (
        <Empty drawing="tray" title={t('auditNone')}>
          {t('auditNoneHelp')}
        </Empty>
      ) : (
        <Result run={last} />
      )}
      <DeskFoot counts={counts} />
    </>
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
          head={
            <>
              <DeskColumn kind="what">{t('auditRule')}</DeskColumn>
              <DeskColumn kind="number">{t('auditCount')}</DeskColumn>
              <DeskColumn>{t('auditIds')}</DeskColumn>
            </>
          }
        >
          {findings.map(({ rule, what, count, ids }) => {
            const words = wordsOfRule(rule)
            return (
              <DeskRow key={rule}>
                <DeskCell kind="what">{words === null ? what : t(words)}</DeskCell>
                <DeskCell>
                  <span className="num">{formatNumber(count)}</span>
                </DeskCell>
                <DeskCell>
                  {ids.join('; ')}
                  {count > ids.length && ` ${t('auditMore', { count: count - ids.length })}`}
                </DeskCell>
              </DeskRow>
            )
          })}
        </DeskTable>
      )}
      {unproved.length > 0 && (
        <>
          <h2 className={styles.deskPart}>{t('auditUnproved')}</h2>
          <DeskTable
            label={t('auditUnproved')}
            head={
              <>
                <DeskColumn kind="what">{t('auditRule')}</DeskColumn>
                <DeskColumn>{t('auditWhy')}</DeskColumn>
              </>
            }
          >
            {unproved.map(({ rule, why }) => {
              const words = wordsOfRule(rule)
              return (
                <DeskRow key={why}>
                  <DeskCell kind="what">{words === null ? rule : t(words)}</DeskCell>
                  <DeskCell>
                    <span lang="en">{why}</span>
                  </DeskCell>
                </DeskRow>
              )
            })}
          </DeskTable>
        </>
      )}
    </>
  )
}
