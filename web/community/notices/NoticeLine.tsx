import type { Notice } from '#contract/notices.ts'
import { noticeWords } from '#contract/notice-words.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { Time } from '#web/core/time/Time.tsx'
import type { NoticeGroup } from '#web/community/notices/notice-groups.ts'
import { ClaimButton } from '#web/items/flags/ClaimButton.tsx'
import { classes } from '#web/ui/classes.ts'
import { Face } from '#web/ui/Face.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { Points } from '#web/ui/points/Points.tsx'
import styles from './Notices.module.css'

const ICONS: Readonly<Record<Notice['kind'], IconName>> = {
  sold: 'book',
  rated: 'star',
  commented: 'talk',
  answered: 'undo',
  captions: 'talk',
  liked: 'heart',
  message: 'mail',
  points: 'list',
  published: 'page',
  certificate: 'warn',
  video: 'film',
  moderation: 'flag',
}

export function NoticeLine({ notice }: { readonly notice: NoticeGroup }) {
  const { t, formatNumber } = useText()
  const nameOf = useNameOf()
  const { ids, item, actor, note, amount, date, read, kind, detail } = notice
  const { key, values } = noticeWords({
    ...notice,
    actor: nameOf(actor?.userName ?? ''),
    title: item?.title ?? '',
    itemKind: item?.kind ?? null,
  })
  const sentence = <Rich id={key} values={values} components={{}} />
  const path = pathOf(notice)
  const isMoved = amount !== 0 && (kind === 'points' || detail === 'share')
  return (
    <li className={classes(!read && styles.fresh)} data-unread={read ? undefined : ids.join(' ')}>
      <span className={styles.sign}>
        {actor !== null && <Face src={actor.imageUrl} />}
        <Icon name={ICONS[kind]} />
      </span>
      <div>
        <p>{path === null ? sentence : <Link to={path}>{sentence}</Link>}</p>
        {note !== null && <p className="small">{t('pointsReason', { reason: note })}</p>}
        {detail === 'copyFound' && item !== null && !item.gone && (
          <ClaimButton id={item.id} title={item.title} />
        )}
        <p className="small quiet">
          {!read && <b className={styles.noticeNew}>{t('noticesNew')}</b>}{' '}
          <Time date={date} form="ago" />
        </p>
      </div>
      {isMoved && (
        <p className={styles.moved}>
          <Points amount={`${amount > 0 ? '+' : ''}${formatNumber(amount)}`} unit={t('kbPoints')} />
        </p>
      )}
    </li>
  )
}

/** Null if there is nothing left to see. */
function pathOf({ kind, item, comment, act, actor, detail }: Notice): string | null {
  if (act !== null) return to.appeal(act)
  if (kind === 'message') return actor === null ? to.userCenter() : to.chat(actor.userName)
  if (kind === 'points') return to.points()
  if (item === null || item.gone) return null
  if (item.kind === 'course') return to.course(item.id)
  if (kind === 'captions' && detail === 'offered') return to.captions(item.id)
  return comment === null ? to.lesson(item.id) : `${to.lesson(item.id)}#comment-${comment}`
}
