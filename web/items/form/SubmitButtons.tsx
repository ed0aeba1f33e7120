import type { ReactNode } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

interface SubmitProps {
  readonly busy: boolean
  readonly disabled: boolean
  /** Says why the button is disabled; see Button. */
  readonly reason?: ReactNode
  readonly missing: ReactNode
}

interface PublishButtonProps extends SubmitProps {
  /** Says what publishing earns; null when it earns nothing. */
  readonly reward: string | null
}

export function PublishButton({ reward, ...rest }: PublishButtonProps) {
  const { t } = useText()
  return (
    <Button type="submit" kind={reward === null ? 'main' : 'pay'} big {...rest}>
      {reward === null ? t('publishPlain') : t('publishEarn', { reward })}
    </Button>
  )
}

export function SaveButton(props: SubmitProps) {
  const { t } = useText()
  return (
    <Button type="submit" kind="main" big {...props}>
      {t('saveChanges')}
    </Button>
  )
}
