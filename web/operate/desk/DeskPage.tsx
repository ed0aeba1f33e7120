import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import type { DeskCounts } from '#web/operate/desk/desk-counts.ts'
import type { DeskTab } from '#web/operate/desk/desk-tabs.ts'
import { DeskTabs } from '#web/operate/desk/DeskTabs.tsx'
import { Head } from '#web/ui/Head.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Desk.module.css'

interface DeskPageProps {
  readonly here: DeskTab
  readonly title: string
  readonly counts: DeskCounts | null
  readonly beside?: ReactNode
  readonly end?: ReactNode
  readonly children: ReactNode
}

export function DeskPage({ here, title, counts, beside, end, children }: DeskPageProps) {
  const { t } = useText()
  return (
    <>
      <DeskTabs here={here} counts={counts} />
      <Head title={title} as="h1" end={end}>
        {beside}
      </Head>
      {children}
      {counts !== null && (
        <p className={classes('quiet num', styles.deskFoot)}>
          {t('deskVersion', { version: counts.version })}
        </p>
      )}
    </>
  )
}
