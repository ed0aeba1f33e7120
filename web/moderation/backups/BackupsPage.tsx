import type { BackupRun } from '#contract/backup.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import type { loader } from '#web/moderation/backups/BackupsPage.data.ts'
import { DeskCell, DeskColumn, DeskRow, DeskTable } from '#web/moderation/desk/DeskTable.tsx'
import { DeskFoot } from '#web/moderation/desk/DeskFoot.tsx'
import { DeskTabs } from '#web/moderation/desk/DeskTabs.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/moderation/desk/Desk.module.css'

/** When the last backups were made, how big they are, and what went wrong. */
export default function BackupsPage() {
  const { underWay, last, runs, daily, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const shown = runs.filter(({ ended }) => ended !== null)
  return (
    <>
      <DeskTabs here="backups" counts={counts} />
      <Head title={t('deskBackups')} as="h1">
        <p className="quiet num">
          {underWay !== null && (
            <>
              {t('backupUnderWay')} <Time date={underWay.began} form="moment" />
            </>
          )}
        </p>
      </Head>
      <p className="quiet">{t('backupHelp')}</p>
      {last === null ? (
        <Empty drawing="tray" title={t('backupNone')}>
          {t('backupNoneHelp')}
        </Empty>
      ) : (
        <p className={styles.deskNote} role="note">
          <Icon name={last.bytes === null ? 'warn' : 'check'} />
          <span>{last.bytes === null ? t('backupFailed') : t('backupMade')}</span>
        </p>
      )}
      <p className="quiet">{daily ? t('backupDaily') : t('backupNoneDaily')}</p>
      {shown.length > 0 && (
        <DeskTable
          label={t('backupList')}
          head={
            <>
              <DeskColumn kind="what">{t('backupPlace')}</DeskColumn>
              <DeskColumn>{t('backupBegan')}</DeskColumn>
              <DeskColumn kind="number">{t('backupTook')}</DeskColumn>
              <DeskColumn kind="number">{t('backupBytes')}</DeskColumn>
            </>
          }
        >
          {shown.map((run) => (
            <Row key={`${run.began} ${run.name}`} run={run} />
          ))}
        </DeskTable>
      )}
      <DeskFoot counts={counts} />
    </>
  )
}

function Row({
  run: { place, name, began, ended, bytes, error, daily },
}: {
  readonly run: BackupRun
}) {
  const { t, formatNumber } = useText()
  const seconds = Math.round((Date.parse(ended ?? began) - Date.parse(began)) / 1000)
  return (
    <DeskRow>
      <DeskCell kind="what">
        {place}/{name}
        {error !== null && (
          <p className="quiet">
            {t('backupWhy')}: {error}
          </p>
        )}
      </DeskCell>
      <DeskCell>
        <Time date={began} form="moment" /> {daily ? t('backupByJob') : t('backupByCommand')}
      </DeskCell>
      <DeskCell>
        <span className="num">{formatNumber(seconds)} s</span>
      </DeskCell>
      <DeskCell>
        <span className="num">
          {bytes === null ? '–' : `${formatNumber(Math.ceil(bytes / 100_000) / 10)} MB`}
        </span>
      </DeskCell>
    </DeskRow>
  )
}
