import { Link } from '#web/core/router/Link.tsx'
import { useCallback, useState } from 'react'
import type { Person } from '#contract/render.ts'
import { isFormerMember } from '#contract/former-member.ts'
import { BlockedLine } from '#web/items/flags/BlockedLine.tsx'
import { BlockOrReport } from '#web/community/chat/room/BlockOrReport.tsx'
import { LinkLine } from '#web/community/chat/room/LinkLine.tsx'
import { MessageForm } from '#web/community/chat/room/MessageForm.tsx'
import { MessageLog } from '#web/community/chat/room/MessageLog.tsx'
import type { ConfirmedMessage } from '#web/community/chat/conversation/conversation.ts'
import { useChatSound } from '#web/community/chat/room/chat-sound.ts'
import { type Talk, useRoom } from '#web/community/chat/room/use-room.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { to } from '#web/core/paths.ts'
import { ReportDialog } from '#web/items/flags/ReportDialog.tsx'
import { mayReport, type ReportSubject } from '#web/items/flags/report-subject.ts'
import { Face } from '#web/ui/Face.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/community/chat/Chat.module.css'
import blockedLineStyles from '#web/items/flags/BlockedLine.module.css'
import noteStyles from '#web/ui/styles/Note.module.css'
import iconButtonStyles from '#web/ui/styles/IconButton.module.css'

interface ChatRoomProps {
  readonly me: Person
  readonly talk: Talk
}

export function ChatRoom({ me, talk }: ChatRoomProps) {
  const { t } = useText()
  const { other } = talk
  const sound = useChatSound()
  const { room, conversation } = useRoom(me, talk, sound.play)
  const [blocked, setBlocked] = useState(talk.blocked)
  const [asks, setAsks] = useState(false)
  const [reported, setReported] = useState<ReportSubject | null>(null)
  const report = useCallback(({ id, text }: ConfirmedMessage) => {
    setReported({ kind: 'message', id, name: text })
  }, [])
  const isSuspended = me.suspended === true
  const isFormer = isFormerMember(other.userName)
  const name = useNameOf()(other.userName)
  return (
    <section className={styles.room} aria-labelledby="chat-with">
      <header>
        <Link
          className={classes(iconButtonStyles.iconBtn, styles.iconBtn, styles.back)}
          to={to.chat()}
          aria-label={t('backToContacts')}
        >
          <Icon name="left" />
        </Link>
        <Face src={other.imageUrl} eager />
        <h1 id="chat-with">
          <Rich
            id="chatWith"
            values={{ username: name }}
            components={{ person: isFormer ? <span /> : <Link to={to.profile(other.id)} /> }}
          />
        </h1>
        <div className={classes('acts', styles.acts)}>
          <IconButton
            icon="sound"
            label={t('chatSound')}
            pressed={sound.isOn}
            onClick={sound.toggle}
          />
          {!isFormer && (
            <IconButton
              icon="flag"
              label={t('blockOrReport', { username: name })}
              onClick={() => setAsks(true)}
            />
          )}
        </div>
      </header>
      {isSuspended ? <SuspendedLine /> : <LinkLine />}
      <MessageLog
        room={room}
        conversation={conversation}
        other={name}
        onReport={mayReport(me, other.id) ? report : null}
      />
      {blocked && <BlockedLine other={other} onChange={setBlocked} />}
      {isFormer && <p className={noteStyles.gate}>{t('chatWithFormer')}</p>}
      {!isSuspended && !isFormer && <MessageForm room={room} other={other} />}
      <BlockOrReport
        other={other}
        blocked={blocked}
        onBlocked={setBlocked}
        onReport={
          mayReport(me, other.id)
            ? () => setReported({ kind: 'profile', id: other.id, name: other.userName })
            : null
        }
        open={asks}
        onClose={() => setAsks(false)}
      />
      <ReportDialog subject={reported} onClose={() => setReported(null)} />
    </section>
  )
}

/** Replaces the state of the connection: a suspended user has none, so a network message would mislead. */
function SuspendedLine() {
  const { t } = useText()
  return (
    <p className={blockedLineStyles.blockedLine} role="note">
      <Icon name="lock" />
      {t('chatSuspended')}
    </p>
  )
}
