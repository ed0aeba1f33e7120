import { lazy, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Opening } from '#web/layout/Progress.tsx'
import { Button } from '#web/ui/Button.tsx'

// With the drawing of the QR code: fetched by who shares.
const ShareDialog = lazy(async () => {
  const module = await import('#web/items/sharing/ShareDialog.tsx')
  return { default: module.ShareDialog }
})

interface ShareButtonProps {
  readonly title: string
  /** A path of ours. */
  readonly path: string
}

/** Opens the ways to share a page: its address to copy, the system's own sheet, a QR code. */
export function ShareButton({ title, path }: ShareButtonProps) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="bare" icon="share" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('share')}
      </Button>
      {open && (
        <Opening>
          <ShareDialog title={title} path={path} onClose={() => setOpen(false)} />
        </Opening>
      )}
    </>
  )
}
