import type { Numbers, PartState } from '#contract/desk.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Numbers.module.css'

/** Other parts, such as providers, show their codes. */
const WORDS: Readonly<Record<string, MessageKey>> = {
  database: 'partDatabase',
  'files-disk': 'partFiles',
  'files-s3': 'partFilesS3',
  'data-disk': 'partDisk',
  replica: 'partReplica',
  jobs: 'deskJobs',
  redis: 'partRedis',
  nodes: 'partNodes',
  traces: 'partTraces',
  backups: 'deskBackups',
  backup: 'deskBackups',
  audit: 'deskAudit',
}

/** Whether each part works, and how much room is left. */
export function Parts({ parts, disk, database }: Omit<Numbers, 'days'>) {
  const { t } = useText()
  const formatBytes = useBytes()
  const wordOf = (name: string) => {
    const key = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined
    return key === undefined ? name : t(key)
  }
  const roomOf = (name: string) => {
    if (name === 'database') return formatBytes(database)
    if (name !== 'data-disk' || disk === null) return null
    return t('partDiskFree', { free: formatBytes(disk.free), size: formatBytes(disk.size) })
  }
  return (
    <DeskTable
      label={t('numbersParts')}
      rows={parts}
      keyOf={({ name }) => name}
      columns={[
        { name: t('numbersPart'), kind: 'item', cell: ({ name }) => wordOf(name) },
        { name: t('videosState'), kind: 'what', cell: (part) => <State part={part} /> },
        {
          name: t('numbersRoom'),
          kind: 'item',
          cell: ({ name }) => <span className="num">{roomOf(name)}</span>,
        },
      ]}
    />
  )
}

function State({ part: { needed, says } }: { readonly part: PartState }) {
  const { t } = useText()
  return (
    <span className={styles.state}>
      <Icon name={says === null ? 'check' : 'warn'} />
      {says === null ? (
        t('partWorks')
      ) : (
        <span>
          <b>{t(needed ? 'partAway' : 'partAwayRestWorks')}</b> <span lang="en">{says}</span>
        </span>
      )}
    </span>
  )
}

const UNITS = ['MB', 'GB', 'TB'] as const
const STEP = 1000

/** Formats bytes as megabytes or more, with one decimal below 10. */
function useBytes(): (bytes: number) => string {
  const { formatNumber } = useText()
  return (bytes) => {
    let size = bytes / STEP / STEP
    let unit = 0
    while (size >= STEP && unit < UNITS.length - 1) {
      size /= STEP
      unit += 1
    }
    const rounded = size < 10 ? Math.round(size * 10) / 10 : Math.round(size)
    return `${formatNumber(rounded)} ${UNITS[unit] ?? ''}`
  }
}
