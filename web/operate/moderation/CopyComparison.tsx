import { useState } from 'react'
import { flags, type Comparison } from '#contract/flags.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { toast } from '#web/core/toast.ts'
import { Button } from '#web/ui/Button.tsx'
import { MarkedText } from '#web/ui/MarkedText.tsx'
import styles from './CopyComparison.module.css'

/** Shows a reported copy and the older lesson side by side, when it is asked for. */
export function CopyComparison({ id }: { readonly id: number }) {
  const { t } = useText()
  const [isBusy, setBusy] = useState(false)
  const [compared, setCompared] = useState<Comparison | null>(null)
  const compare = async () => {
    setBusy(true)
    try {
      setCompared(await api(flags.compare, { id }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'failed')
    } finally {
      setBusy(false)
    }
  }
  if (compared === null)
    return (
      <p>
        <Button icon="page" busy={isBusy} onClick={() => void compare()}>
          {t('copyCompare')}
        </Button>
      </p>
    )
  const { likeness, lesson, original } = compared
  return (
    <div className={styles.comparison}>
      {likeness !== null && (
        <p role="status">{t('copyLikeness', { percent: Math.round(likeness * 100) })}</p>
      )}
      <Side heading="copyNewer" side={lesson} />
      <Side heading="copyOlder" side={original} />
    </div>
  )
}

interface SideProps {
  readonly heading: MessageKey
  readonly side: Comparison['lesson']
}

function Side({ heading, side }: SideProps) {
  const { t } = useText()
  return (
    <section>
      <h3>{t(heading)}</h3>
      {side === null ? (
        <p className="quiet">{t('copyGone')}</p>
      ) : (
        <p lang={textLanguage(side.article.text)} dir="auto">
          <MarkedText marked={side.article} />
        </p>
      )}
    </section>
  )
}
