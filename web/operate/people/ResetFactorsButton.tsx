import { useState } from 'react'
import { people, type PersonFile } from '#contract/people.ts'
import { api } from '#web/core/api.ts'
import { ConfirmDialog } from '#web/core/form/ConfirmDialog.tsx'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'

/** For people who lost their phone and their recovery codes. */
export function ResetFactorsButton({ person }: { readonly person: PersonFile }) {
  const { t } = useText()
  const reload = useReload()
  const [isOpen, setOpen] = useState(false)
  const { id, userName: username } = person
  return (
    <>
      <Button icon="retry" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('resetFactors')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          onClose={() => setOpen(false)}
          title={t('resetFactorsTitle', { username })}
          step={{ label: t('resetFactors'), kind: 'risk', icon: 'retry' }}
          question={{ label: t('suspendReason') }}
          act={(reason) => api(people.resetFactors, { id, reason })}
          onDone={() => {
            toast(t('resetFactorsDone', { username }))
            void reload()
          }}
        >
          <p>{t('resetFactorsWhat')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
