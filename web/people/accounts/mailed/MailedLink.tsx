import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { StallSide } from '#web/ui/books/StallSide.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/inputs/Form.module.css'

interface Words {
  readonly title: MessageKey
  readonly what: MessageKey
}

interface MailedLinkProps {
  /** Empty if the URL was cut off. */
  readonly token: string
  readonly ask: Words & { readonly submit: MessageKey }
  readonly done: Words & { readonly next: ReactNode }
  readonly dead: Pick<Words, 'what'> & { readonly next: ReactNode }
  readonly send: () => Promise<unknown>
}

type State = 'ask' | 'done' | 'dead'

/** Asks for a press, because mail programs and scanners open links ahead of the reader. */
export function MailedLink({ token, ask, done, dead, send }: MailedLinkProps) {
  const { t } = useText()
  const [state, setState] = useState<State>(token === '' ? 'dead' : 'ask')
  const [busy, setBusy] = useState(false)
  // A press before hydration would be lost.
  const hydrated = useHydrated()
  const [refusal, setRefusal] = useState<string>()
  const title = useRef<HTMLHeadingElement>(null)
  const first = useRef(state)
  useEffect(() => {
    if (state !== first.current) title.current?.focus()
  }, [state])

  async function press(): Promise<void> {
    setBusy(true)
    setRefusal(undefined)
    try {
      await send()
      setState('done')
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) setState('dead')
      else setRefusal(error instanceof ApiError ? error.message : t('somethingWrong'))
    } finally {
      setBusy(false)
    }
  }

  const words = { ask, done, dead: { title: 'linkDeadTitle', ...dead } } as const
  return (
    <div className={classes(styles.slip, styles.withStall)}>
      <div className={styles.form}>
        <div>
          <h1 tabIndex={-1} ref={title}>
            {t(words[state].title)}
          </h1>
          <p className="quiet">{t(words[state].what)}</p>
        </div>
        {refusal !== undefined && (
          <Alert key={refusal} heading={t('error')} focus>
            {refusal}
          </Alert>
        )}
        <div className={styles.submit}>
          {state === 'ask' ? (
            <Button kind="main" big busy={busy} disabled={!hydrated} onClick={() => void press()}>
              {t(ask.submit)}
            </Button>
          ) : (
            words[state].next
          )}
        </div>
      </div>
      <StallSide drawing="book" />
    </div>
  )
}
