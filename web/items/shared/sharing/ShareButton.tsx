import { lazy, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Opening } from '#web/layout/Progress.tsx'
import { Button } from '#web/ui/Button.tsx'

// Loaded on demand, because it includes the code that draws QR codes.
const ShareDialog = lazy(async () => {
  const module = await import('#web/items/shared/sharing/ShareDialog.tsx')
  return { default: module.ShareDialog }
})

interface ShareButtonProps {
  readonly title: string
  /** A path on this site. */
  readonly path: string
}

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
