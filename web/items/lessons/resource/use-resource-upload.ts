import { useEffect, useRef, useState } from 'react'
import { RESOURCE_BYTES } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { reloadIfUpgraded } from '#web/core/router/upgrade.ts'
import type { RunningUpload } from '#web/items/lessons/resource/resource-upload.ts'

interface Running {
  readonly name: string
  readonly size: number
  readonly sent: number
  /** A translated error; null while the upload runs. */
  readonly failure: string | null
  /** True when the network is away. The upload continues automatically. */
  readonly waits: boolean
}

export interface ResourceUpload {
  readonly running: Running | null
  /** A translated error of the last file. */
  readonly refused: string | undefined
  /** Clears the error, when a link replaces the refused file. */
  readonly forgive: () => void
  readonly start: (file: File) => void
  readonly resume: () => void
  readonly cancel: () => void
}

/**
 * Handles one upload at a time.
 * @param onDone gets the URL that a lesson stores
 */
export function useResourceUpload(
  onDone: (url: string) => void,
  onBusy: (busy: boolean) => void,
): ResourceUpload {
  const { t } = useText()
  const [running, setRunning] = useState<Running | null>(null)
  const [refused, setRefused] = useState<string>()
  const upload = useRef<RunningUpload>(null)
  // Leaving the page pauses the upload. Choosing the same file again continues it.
  useEffect(() => () => upload.current?.pause(), [])

  const end = () => {
    upload.current = null
    setRunning(null)
    onBusy(false)
  }
  const begin = async (file: File) => {
    const { startUpload } = await import('#web/items/lessons/resource/resource-upload.ts')
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

function nothingOf({ name, size }: File): Running {
  return { name, size, sent: 0, failure: null, waits: false }
}
