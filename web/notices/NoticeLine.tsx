import type { Notice } from '#contract/notices.ts'
import { noticeWords } from '#contract/notice-words.ts'
import { Rich, useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { useNameOf } from '#web/core/PersonName.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { Time } from '#web/core/time/Time.tsx'
import { classes } from '#web/ui/classes.ts'
import { Face } from '#web/ui/Face.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from './Notices.module.css'

const ICONS: Partial<Record<Notice['kind'], IconName>> = {
  points: 'list',
  moderation: 'flag',
  certificate: 'warn',
}

/** One thing that happened, in a sentence that leads to where it happened. */
export function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { t } = useText()
  const nameOf = useNameOf()
  const { item, actor, note, date, read, kind } = notice
  const { key, values } = noticeWords({
    ...notice,
    actor: nameOf(actor?.userName ?? ''),
    title: item?.title ?? '',
    itemKind: item?.kind ?? null,
  })
  const sentence = <Rich id={key} values={values} components={{}} />
  const path = pathOf(notice)
  return (
    <li className={classes(!read && styles.fresh)}>
      {actor === null ? <Icon name={ICONS[kind] ?? 'bell'} /> : <Face src={actor.imageUrl} />}
      <div>
        <p>{path === null ? sentence : <Link to={path}>{sentence}</Link>}</p>
        {note !== null && <p className="small">{t('pointsReason', { reason: note })}</p>}
        <p className="small quiet">
          {!read && <b className={styles.noticeNew}>{t('noticesNew')}</b>}{' '}
          <Time date={date} form="ago" />
        </p>
      </div>
    </li>
  )
}

/** Null where there is nothing to see any more. */
function pathOf({ kind, item, comment, actor }: Notice): string | null {
  if (kind === 'message') return actor === null ? to.userCenter() : to.chat(actor.userName)
  if (kind === 'points') return to.points()
  if (item === null || item.gone) return null
  if (item.kind === 'course') return to.course(item.id)
  return comment === null ? to.lesson(item.id) : `${to.lesson(item.id)}#comment-${comment}`
}
