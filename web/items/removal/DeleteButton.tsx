import { lazy, Suspense, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import type { RemovableItem } from '#web/items/removal/item-removal.ts'
import { Button } from '#web/ui/Button.tsx'

const DeleteDialog = lazy(async () => {
  const module = await import('#web/items/removal/DeleteDialog.tsx')
  return { default: module.DeleteDialog }
})

/** Opens the dialog that says what would be taken back. */
export function DeleteButton({ item }: { readonly item: RemovableItem }) {
  const { t } = useText()
  const [asked, setAsked] = useState(0)
  const [open, setOpen] = useState(false)
  const ask = () => {
    setAsked(asked + 1)
    setOpen(true)
  }
  return (
    <>
      <Button kind="risk" icon="bin" aria-haspopup="dialog" onClick={ask}>
        {t('delete')}
      </Button>
      {asked > 0 && (
        <Suspense>
          <DeleteDialog key={asked} item={item} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
