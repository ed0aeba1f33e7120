import { useState } from 'react'
import { people, type PersonFile } from '#contract/people.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

/** Makes an administrator, or makes one a user again. */
export function RoleButton({ person }: { readonly person: PersonFile }) {
  const { t } = useText()
  const reload = useReload()
  const [isOpen, setOpen] = useState(false)
  const { id, userName: username } = person
  const isAdministrator = person.role === 'administrator'
  const label = t(isAdministrator ? 'roleTake' : 'roleGive')
  return (
    <>
      <Button icon="user" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog
          onClose={() => setOpen(false)}
          title={t(isAdministrator ? 'roleTakeTitle' : 'roleGiveTitle', { username })}
          step={{ label, kind: 'risk', icon: 'user' }}
          question={{ label: t('suspendReason') }}
          act={(reason) =>
            api(people.changeRole, { id, reason, role: isAdministrator ? 'user' : 'administrator' })
          }
          onDone={() => {
            toast(t(isAdministrator ? 'roleTakeDone' : 'roleGiveDone', { username }))
            void reload()
          }}
        >
          <p>{t(isAdministrator ? 'roleTakeWhat' : 'roleGiveWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
