import type { Unsent } from '#web/chat/conversation/conversation.ts'
import type { Room } from '#web/chat/conversation/room.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'

interface UnsentMessageProps {
  readonly unsent: Unsent
  readonly room: Room
}

/** A message that the server does not have yet: under way, waiting, or refused with a way on. */
export function UnsentMessage({ unsent, room }: UnsentMessageProps) {
  const { t } = useText()
  const { draftId, text, state, words } = unsent
  const isStuck = state !== 'sending'
  return (
    <div className="unsent">
      <p
        className={classes('msg', 'mine', isStuck && 'sent-bad')}
        lang={textLanguage(text)}
        dir="auto"
      >
        {text}
      </p>
      {isStuck ? (
        <div className="at mine stuck">
          <span className="why" role="status">
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
        <p className="at mine">{t('messageSending')}</p>
      )}
    </div>
  )
}
