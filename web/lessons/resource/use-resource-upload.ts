import { useEffect, useRef, useState } from 'react'
import { RESOURCE_BYTES } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { reloadIfUpgraded } from '#web/core/router/upgrade.ts'
import type { RunningUpload } from '#web/lessons/resource/resource-upload.ts'

interface Running {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly sent: number
  /** Why it stands still, translated; null while it runs. */
  readonly failure: string | null
  /** The network is away, and it goes on by itself. */
  readonly waits: boolean
}

export interface ResourceUpload {
  readonly running: Running | null
  /** Why the last file was not taken, translated. */
  readonly refused: string | undefined
  /** A link is given instead of the refused file. */
  readonly forgive: () => void
  readonly start: (file: File) => void
  readonly resume: () => void
  readonly cancel: () => void
}

/** One upload at a time. `onDone` gets the address that a lesson stores. */
export function useResourceUpload(
  onDone: (url: string) => void,
  onBusy: (busy: boolean) => void,
): ResourceUpload {
  const { t } = useText()
  const [running, setRunning] = useState<Running | null>(null)
  const [refused, setRefused] = useState<string>()
  const upload = useRef<RunningUpload>(null)
  // Leaving the page stops the sending; what has arrived is found again by the same file.
  useEffect(() => () => upload.current?.pause(), [])

  const end = () => {
    upload.current = null
    setRunning(null)
    onBusy(false)
  }
  const begin = async (file: File) => {
    const { startUpload } = await import('#web/lessons/resource/resource-upload.ts')
    upload.current = startUpload(file, {
      onProgress: (sent) => setRunning({ ...nothingOf(file), sent }),
      onWaiting: () => setRunning((last) => last && { ...last, waits: true }),
      onDone: (url) => {
        end()
        onDone(url)
      },
      onFailed: (message) =>
        setRunning(
          (last) => last && { ...last, waits: false, failure: message ?? t('notReached') },
        ),
    })
  }
  return {
    running,
    refused,
    forgive: () => setRefused(undefined),
    start: (file) => {
      if (file.size > RESOURCE_BYTES) {
        setRefused(t('fileTooLarge', { megabytes: RESOURCE_BYTES / 1024 ** 2 }))
        return
      }
      setRefused(undefined)
      setRunning(nothingOf(file))
      onBusy(true)
      begin(file).catch(async () => {
        end()
        if (!(await reloadIfUpgraded())) setRefused(t('notReached'))
      })
    },
    resume: () => {
      setRunning((last) => last && { ...last, failure: null })
      upload.current?.resume()
    },
    cancel: () => {
      upload.current?.cancel()
      end()
    },
  }
}

/** Of whose bytes none have arrived. */
function nothingOf({ name, size }: File): Running {
  return { name, size, sent: 0, failure: null, waits: false }
}
