import { useState } from 'react'
import { profiles } from '#contract/profiles.ts'
import { archiveName } from '#contract/site.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSettings } from '#web/core/settings.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'

/** Hands what is stored of a person to their browser as a file. */
export function TakeAlong() {
  const { t } = useText()
  const { names } = useSettings()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  async function take(): Promise<void> {
    setBusy(true)
    setRefusal(undefined)
    try {
      // By our own call and not by a link: an address alone gives nobody's data away.
      saveFile(await api(profiles.archive, {}), archiveName(names.en.site))
    } catch (error) {
      setRefusal(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="form" aria-labelledby="take-along">
      <div>
        <h2 id="take-along">{t('archiveTitle')}</h2>
        <p className="quiet">{t('archiveWhat')}</p>
      </div>
      {refusal !== undefined && <Alert heading={t('error')}>{refusal}</Alert>}
      <div className="submit">
        <Button busy={busy} onClick={() => void take()}>
          {t('archiveSubmit')}
        </Button>
      </div>
    </section>
  )
}

function saveFile(content: unknown, name: string): void {
  const text = JSON.stringify(content, null, 2)
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
