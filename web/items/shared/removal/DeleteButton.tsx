import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { setPoints, useSession } from '#web/core/session.ts'
import { toast } from '#web/core/toast.ts'
import { type RemovableItem, removeItem, wordsFor } from '#web/items/shared/removal/item-removal.ts'
import { RemovalSum } from '#web/items/shared/removal/RemovalSum.tsx'
import { Button } from '#web/ui/Button.tsx'

/** Shows the refunds and the lost rewards before deleting. Administrators must give a reason. */
export function DeleteButton({ item }: { readonly item: RemovableItem }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const isForeign = useSession()?._id !== item.owner
  const words = wordsFor(item)
  return (
    <>
      <Button
        kind="risk"
        icon="bin"
        title={t('delete')}
        aria-haspopup="dialog"
        onClick={() => setAsked(true)}
      >
        {t('delete')}
      </Button>
      {asked && (
        <ConfirmDialog
          onClose={() => setAsked(false)}
          title={t('deleteTitle', { title: item.title })}
          step={{ label: t(words.remove), kind: 'risk', icon: 'bin' }}
          leave={t('keepLesson')}
          question={isForeign ? { label: t('reasonLabel') } : undefined}
          act={async (reason) => {
            setPoints(await removeItem(item, isForeign ? reason : undefined))
            toast(t(words.success), 'done')
            await navigate(words.list)
          }}
        >
          <p>{t(words.forever)}</p> <RemovalSum item={item} isForeign={isForeign} />
        </ConfirmDialog>
      )}
    </>
  )
}
