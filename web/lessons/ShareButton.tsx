import { useText } from '#web/core/i18n.tsx'
import { useHydrated } from '#web/core/hydrated.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

interface ShareButtonProps {
  readonly title: string
  /** A path of ours. */
  readonly path: string
  /** Without an edge: beside a larger step. */
  readonly bare?: boolean | undefined
}

/** The address onto the clipboard, and the system's own way of sharing where there is one. */
export function ShareButton({ title, path, bare }: ShareButtonProps) {
  const { t } = useText()
  const hasShare = useHydrated() && 'share' in navigator
  const kind = bare ? 'bare' : 'plain'
  const copy = async () => {
    const done = await copyLink(path)
    toast(t(done ? 'linkCopied' : 'linkNotCopied'), done ? 'done' : 'failed')
  }
  return (
    <>
      {hasShare && (
        <Button kind={kind} icon="share" onClick={() => void shareLink(title, path)}>
          {t('share')}
        </Button>
      )}
      <Button kind={kind} icon="link" onClick={() => void copy()}>
        {t('copyLink')}
      </Button>
    </>
  )
}

const addressOf = (path: string) => new URL(path, window.location.origin).href

async function copyLink(path: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(addressOf(path))
    return true
  } catch {
    return false
  }
}

async function shareLink(title: string, path: string): Promise<void> {
  try {
    await navigator.share({ title, url: addressOf(path) })
  } catch {
    // Closed without choosing: a person who thinks better of it has not met an error.
  }
}
