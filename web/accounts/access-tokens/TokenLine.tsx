import { useState } from 'react'
import type { AccessToken } from '#contract/access-tokens.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/accounts/lines/Lines.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

interface TokenLineProps {
  readonly token: AccessToken
  readonly onRevoke: () => void
}

/** A token of the list: what its program may do, until when, and when it did so last. */
export function TokenLine({ token, onRevoke }: TokenLineProps) {
  const { t } = useText()
  const { name, scopes, expires, lastUsed } = token
  // By the reader's clock, so not before the page lives: the server's page may be older.
  const isLive = useHydrated()
  const [now] = useState(() => Date.now())
  const isOver = isLive && Date.parse(expires) <= now
  return (
    <li>
      <div>
        <p>
          <b dir="auto">{name}</b>
        </p>
        <p className={styles.words}>
          <span>
            <code>{scopes.join(', ')}</code>
          </span>
          <span className={isOver ? classes(fieldStyles.over, styles.over) : undefined}>
            <Rich
              id={isOver ? 'tokenEndedOn' : 'tokenEndsOn'}
              components={{ date: <Time date={expires} form="moment" /> }}
            />
          </span>
          <span>
            {lastUsed === null ? (
              t('tokenUsedNever')
            ) : (
              <Rich
                id="tokenUsedOn"
                components={{ date: <Time date={lastUsed} form="moment" /> }}
              />
            )}
          </span>
        </p>
      </div>
      <Button
        kind="bare"
        icon="bin"
        aria-haspopup="dialog"
        aria-label={t('tokenRevokeOf', { name })}
        onClick={onRevoke}
      >
        {t('tokenRevoke')}
      </Button>
    </li>
  )
}
