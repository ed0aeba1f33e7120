import { useState } from 'react'
import { people, type PersonFile } from '#contract/people.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

export function DeleteAboutButton({ person }: { readonly person: PersonFile }) {
  const { t } = useText()
  const reload = useReload()
  const [isOpen, setOpen] = useState(false)
  const { id, userName: username, about } = person
  return (
    <>
      <Button icon="bin" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('aboutDelete')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          onClose={() => setOpen(false)}
          title={t('aboutDeleteTitle', { username })}
          step={{ label: t('aboutDelete'), kind: 'risk', icon: 'bin' }}
          question={{ label: t('suspendReason') }}
          act={(reason) => api(people.deleteAbout, { id, about, reason })}
          onDone={() => {
            toast(t('aboutDeleteDone', { username }))
            void reload()
          }}
        >
          <blockquote dir="auto">{about}</blockquote>
          <p>{t('aboutDeleteWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
