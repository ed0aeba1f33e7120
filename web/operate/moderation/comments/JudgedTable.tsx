import type { ReactNode } from 'react'
import type { ModeratedComment } from '#contract/comments.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { useNameOf } from '#web/core/PersonName.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Gone } from '#web/operate/moderation/comments/Judged.tsx'
import { OpinionChip } from '#web/operate/moderation/comments/OpinionChip.tsx'
import type { Desk } from '#web/operate/desk/desk.ts'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

type Judged = Pick<
  ModeratedComment,
  'id' | 'user' | 'userName' | 'suspended' | 'prediction' | 'confidence' | 'date' | 'deleted'
>

/** Accessible names of a row's controls. Each message takes `username`. */
interface Words {
  readonly select: MessageKey
  readonly delete: MessageKey
  readonly restore: MessageKey
}

interface JudgedTableProps<Row extends Judged> {
  readonly label: string
  readonly list: readonly Row[]
  readonly desk: Desk
  readonly deleted: boolean
  /** Server time of the data in ms. */
  readonly now: number
  readonly words: Words
  /** The column with the text. */
  readonly what: { readonly name: string; readonly cell: (row: Row) => ReactNode }
  /** The column with the lesson or course. */
  readonly item: {
    readonly name: string
    readonly of: (row: Row) => { readonly path: string; readonly title: string }
  }
  readonly pictureOf: (row: Row) => string
  /** False for a rating without text, which has no opinion. */
  readonly hasWords?: ((row: Row) => boolean) | undefined
}

export function JudgedTable<Row extends Judged>(props: JudgedTableProps<Row>) {
  const { label, list, desk, deleted, now, words, what, item, pictureOf, hasWords } = props
  const { t } = useText()
  const nameOf = useNameOf()
  return (
    <DeskTable
      label={label}
      rows={list}
      keyOf={({ id }) => id}
      selection={desk}
      tickOf={({ userName }) => t(words.select, { username: nameOf(userName) })}
      byKeys
      columns={[
        { kind: 'what', ...what },
        {
          name: t('deskPerson'),
          kind: 'person',
          cell: (row) => (
            <DeskPerson
              person={{ id: row.user, userName: row.userName, imageUrl: pictureOf(row) }}
              suspended={row.suspended}
            />
          ),
        },
        {
          name: t('deskOpinion'),
          kind: 'opinion',
          cell: (row) => hasWords?.(row) !== false && <OpinionChip judged={row} />,
        },
        {
          name: item.name,
          kind: 'item',
          cell: (row) => {
            const { path, title } = item.of(row)
            return (
              <Link to={path} lang={textLanguage(title)} dir="auto">
                {title}
              </Link>
            )
          },
        },
        {
          name: t(deleted ? 'deskDeleted' : 'deskWritten'),
          kind: 'time',
          sorted: true,
          cell: (row) =>
            row.deleted === null ? (
              <Time date={row.date} form="moment" />
            ) : (
              <Gone deleted={row.deleted} now={now} />
            ),
        },
        {
          name: t('deskActs'),
          kind: 'icon',
          cell: (row) => (
            <IconButton
              icon={row.deleted === null ? 'bin' : 'undo'}
              label={t(row.deleted === null ? words.delete : words.restore, {
                username: nameOf(row.userName),
              })}
              disabled={desk.busy}
              onClick={() => void desk.act([row.id])}
            />
          ),
        },
      ]}
    />
  )
}
