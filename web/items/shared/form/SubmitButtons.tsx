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
  /** Says what publishing earns: null when it earns nothing, undefined while that is unknown. */
  readonly reward: string | null | undefined
}

export function PublishButton({ reward, ...rest }: PublishButtonProps) {
  const { t } = useText()
  return (
    <Button type="submit" kind={typeof reward === 'string' ? 'pay' : 'main'} big {...rest}>
      {reward === undefined && t('publish')}
      {reward === null && t('publishPlain')}
      {typeof reward === 'string' && t('publishEarn', { reward })}
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
