import { useState } from 'react'
import { chat } from '#contract/chat.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './BlockedLine.module.css'

interface BlockedLineProps {
  readonly other: ProfileCard
  readonly onChange: (blocked: boolean) => void
  readonly className?: string | undefined
}

export function BlockedLine({ other, onChange, className }: BlockedLineProps) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const { id, userName: username } = other
  const unblock = async () => {
    setBusy(true)
    try {
      onChange((await api(chat.unblock, { id })).blocked)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : t('somethingWrong'), 'failed')
      setBusy(false)
    }
  }
  return (
    <p className={classes(styles.blockedLine, className)}>
      <Icon name="lock" />
      {t('blockedNow', { username })}
      <Button busy={busy} onClick={() => void unblock()}>
        {t('unblockPerson', { username })}
      </Button>
    </p>
  )
}
