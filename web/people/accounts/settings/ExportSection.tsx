import { useEffect, useState } from 'react'
import { exports, type DataExport } from '#contract/exports.ts'
import { archiveName } from '#contract/site.ts'
import { SettingsSection } from '#web/people/accounts/settings/SettingsSection.tsx'
import { api } from '#web/core/api.ts'
import { useSending } from '#web/core/form/use-sending.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useSettings } from '#web/core/settings.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/ButtonLink.tsx'
import { Meter } from '#web/ui/Meter.tsx'

const MEGABYTE = 1024 ** 2
/** Interval in ms between two requests for the progress. */
const ASK_MS = 2000

const isUnderWay = ({ state }: DataExport) => state === 'waiting' || state === 'making'
/** Rounded, at least 1. */
const megabytesOf = (bytes: number) => Math.max(1, Math.round(bytes / MEGABYTE))

interface ExportSectionProps {
  readonly stored: DataExport
}

/** A copy of the user's data: an archive, which a job makes if it is large, or one JSON file. */
export function ExportSection({ stored }: ExportSectionProps) {
  const { t } = useText()
  const { names } = useSettings()
  const [copy, setCopy] = useState(stored)
  const [acting, setActing] = useState<'ask' | 'json' | null>(null)
  const { busy, failure, send } = useSending()

  useEffect(() => {
    if (!isUnderWay(copy)) return undefined
    const timer = setTimeout(async () => {
      // If the server is unreachable, the state stays and the next request tries again.
      setCopy(await api(exports.show, {}).catch(() => ({ ...copy })))
    }, ASK_MS)
    return () => clearTimeout(timer)
  }, [copy])

  const act = (what: 'ask' | 'json', work: () => Promise<void>) => {
    setActing(what)
    void send(work)
  }
  const ask = () => act('ask', async () => setCopy(await api(exports.ask, {})))
  // Uses an API call, because a link sends no bearer token.
  const takeJson = () =>
    act('json', async () => saveFile(await api(exports.json, {}), archiveName(names.en.site)))

  return (
    <SettingsSection
      id="take-along"
      title={t('archiveTitle')}
      lead={[t('archiveWhat')]}
      state={
        <div role="status">
          <CopyLine copy={copy} />
        </div>
      }
      actions={
        <>
          {copy.url !== null && (
            <ButtonLink as="a" kind="main" href={copy.url} download>
              {t('exportDownload')}
            </ButtonLink>
          )}
          {copy.renewable && (
            <Button busy={busy && acting === 'ask'} onClick={ask}>
              {copy.state === 'none' ? t('exportAsk') : t('exportAskAgain')}
            </Button>
          )}
          <Button busy={busy && acting === 'json'} onClick={takeJson}>
            {t('archiveSubmit')}
          </Button>
        </>
      }
    >
      {copy.state === 'failed' && (
        <Alert heading={t('exportFailed')}>{t('exportFailedNext')}</Alert>
      )}
      {failure !== null && <Alert heading={t('error')}>{failure.text}</Alert>}
    </SettingsSection>
  )
}

function CopyLine({ copy }: { readonly copy: DataExport }) {
  const { t } = useText()
  const all = megabytesOf(copy.expected)
  if (copy.state === 'none') return <p className="quiet">{t('exportLarge', { megabytes: all })}</p>
  if (isUnderWay(copy)) {
    // The total is an estimate, so the bytes written may exceed it.
    const done = Math.min(copy.bytes, copy.expected)
    const label = t('exportWritten', { done: Math.round(done / MEGABYTE), all })
    return (
      <>
        <p className="quiet">{t('exportMaking')}</p>
        <Meter value={done} max={Math.max(1, copy.expected)} label={label} />
        <p className="quiet">{label}</p>
      </>
    )
  }
  if (copy.state !== 'ready' || copy.readyAt === null || copy.endsAt === null) return null
  return (
    <p>
      <Rich
        id="exportReady"
        values={{ megabytes: megabytesOf(copy.bytes) }}
        components={{
          made: <Time date={copy.readyAt} form="moment" />,
          ends: <Time date={copy.endsAt} />,
        }}
      />
    </p>
  )
}

function saveFile(content: unknown, name: string): void {
  const text = JSON.stringify(content, null, 2)
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has started reading the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
