import type { BackupRun } from '#contract/backup.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { Time } from '#web/core/time/Time.tsx'
import type { loader } from '#web/operate/backup/BackupsPage.data.ts'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/operate/desk/Desk.module.css'

export default function BackupsPage() {
  const { underWay, last, runs, daily, counts } = usePageData<typeof loader>()
  const { t } = useText()
  const shown = runs.filter(({ ended }) => ended !== null)
  return (
    <DeskPage
      here="backups"
      title={t('deskBackups')}
      counts={counts}
      beside={
        <p className="quiet num">
          {underWay !== null && (
            <>
              {t('backupUnderWay')} <Time date={underWay.began} form="moment" />
            </>
          )}
        </p>
      }
    >
      <p className="quiet">
        <Rich id="backupHelp" components={{ code: <code /> }} />
      </p>
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
      {shown.length > 0 && <Runs runs={shown} />}
    </DeskPage>
  )
}

function Runs({ runs }: { readonly runs: readonly BackupRun[] }) {
  const { t, formatNumber } = useText()
  return (
    <DeskTable
      label={t('backupList')}
      rows={runs}
      keyOf={({ began, name }) => `${began} ${name}`}
      columns={[
        {
          name: t('backupPlace'),
          kind: 'what',
          cell: ({ place, name, error }) => (
            <>
              {place}/{name}
              {error !== null && (
                <p className="quiet">
                  {t('backupWhy')}: {error}
                </p>
              )}
            </>
          ),
        },
        {
          name: t('backupBegan'),
          cell: ({ began, daily }) => (
            <>
              <Time date={began} form="moment" /> {t(daily ? 'backupByJob' : 'backupByCommand')}
            </>
          ),
        },
        {
          name: t('backupTook'),
          kind: 'number',
          cell: (run) => <span className="num">{formatNumber(secondsOf(run))} s</span>,
        },
        {
          name: t('backupBytes'),
          kind: 'number',
          cell: ({ bytes }) => (
            <span className="num">
              {bytes === null ? '–' : `${formatNumber(Math.ceil(bytes / 100_000) / 10)} MB`}
            </span>
          ),
        },
      ]}
    />
  )
}

const secondsOf = ({ began, ended }: BackupRun): number =>
  Math.round((Date.parse(ended ?? began) - Date.parse(began)) / 1000)
