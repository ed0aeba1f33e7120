import type { Unsent } from '#web/community/chat/conversation/conversation.ts'
import type { Room } from '#web/community/chat/conversation/room.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/community/chat/Chat.module.css'

interface UnsentMessageProps {
  readonly unsent: Unsent
  readonly room: Room
}

export function UnsentMessage({ unsent, room }: UnsentMessageProps) {
  const { t } = useText()
  const { draftId, text, state, words } = unsent
  const isStuck = state !== 'sending'
  return (
    <div className={styles.unsent}>
      <p
        data-message="unsent"
        className={classes(styles.msg, styles.mine, isStuck && styles.sentBad)}
        lang={textLanguage(text)}
        dir="auto"
      >
        {text}
      </p>
      {isStuck ? (
        <div className={classes(styles.at, styles.mine, styles.stuck)}>
          <span className={styles.why} role="status">
            <Icon name="warn" />
            <b>{t(state === 'refused' ? 'messageNotSent' : 'messageWaits')}</b> {words}
          </span>
          <Button icon="retry" onClick={() => room.retry(draftId)}>
            {t('sendAgain')}
          </Button>
          <Button icon="bin" onClick={() => room.remove(draftId)}>
            {t('remove')}
          </Button>
        </div>
      ) : (
        <p className={classes(styles.at, styles.mine)}>{t('messageSending')}</p>
      )}
    </div>
  )
}
