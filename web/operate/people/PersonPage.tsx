import type { OwnedItem, PersonFile } from '#contract/people.ts'
import { useText } from '#web/core/i18n.tsx'
import { usePageData } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Time } from '#web/core/time/Time.tsx'
import { PageLinks } from '#web/layout/paging/PageLinks.tsx'
import { DeskPage } from '#web/operate/desk/DeskPage.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'
import { LogTable } from '#web/operate/moderation/LogTable.tsx'
import { PersonFacts } from '#web/operate/people/PersonFacts.tsx'
import { PersonFlags } from '#web/operate/people/PersonFlags.tsx'
import type { loader } from '#web/operate/people/PersonPage.data.ts'
import { nameDevice } from '#web/people/accounts/devices/device-name.ts'
import { AccountBook } from '#web/people/points/AccountBook.tsx'
import styles from '#web/operate/desk/Desk.module.css'

export default function PersonPage() {
  const { person, ledger, page, pages, log, counts, now } = usePageData<typeof loader>()
  const { t } = useText()
  const { id, items, sessions, flagsAbout, flagsBy } = person
  return (
    <DeskPage
      here="people"
      title={person.userName}
      counts={counts}
      beside={<Link to={to.people()}>{t('personAll')}</Link>}
    >
      <PersonFacts person={person} />
      <Part title={t('personItems')} none={items.length === 0 && t('personNoItems')}>
        <Items items={items} />
      </Part>
      <Part title={t('kbPoints')} none={ledger.total === 0 && t('personNoPoints')}>
        <p className="quiet">{t('personPointsHelp')}</p>
        <AccountBook entries={ledger.entries} />
        <PageLinks page={page} pages={pages} href={(number) => to.person(id, number)} />
      </Part>
      <Part title={t('personSessions')} none={sessions.length === 0 && t('personNoSessions')}>
        <Sessions sessions={sessions} />
      </Part>
      <PersonFlags
        title={t('personFlagsAbout')}
        none={t('personNoFlagsAbout')}
        flags={flagsAbout}
      />
      <PersonFlags title={t('personFlagsBy')} none={t('personNoFlagsBy')} flags={flagsBy} />
      <Part title={t('deskLog')} none={log.length === 0 && t('personNoLog')}>
        <LogTable entries={log} now={now} />
      </Part>
    </DeskPage>
  )
}

interface PartProps {
  readonly title: string
  /** Shown instead of the contents. */
  readonly none: string | false
  readonly children: React.ReactNode
}

function Part({ title, none, children }: PartProps) {
  return (
    <section>
      <h2 className={styles.deskPart}>{title}</h2>
      {none === false ? children : <p className="quiet">{none}</p>}
    </section>
  )
}

function Items({ items }: { readonly items: readonly OwnedItem[] }) {
  const { t } = useText()
  return (
    <DeskTable
      label={t('personItems')}
      rows={items}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      columns={[
        {
          name: t('title'),
          kind: 'what',
          cell: ({ kind, id, title }) => (
            <Link
              to={kind === 'lesson' ? to.lesson(id) : to.course(id)}
              lang={textLanguage(title)}
              dir="auto"
            >
              {title}
            </Link>
          ),
        },
        {
          name: t('mailsKind'),
          cell: ({ kind }) => t(kind === 'lesson' ? 'kindLesson' : 'kindCourse'),
        },
        { name: t('personPublished'), kind: 'time', cell: ({ date }) => <Time date={date} /> },
      ]}
    />
  )
}

function Sessions({ sessions }: Pick<PersonFile, 'sessions'>) {
  const { t } = useText()
  return (
    <DeskTable
      label={t('personSessions')}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        { name: t('personDevice'), kind: 'what', cell: (session) => nameDevice(session, t) },
        {
          name: t('personSignedIn'),
          kind: 'time',
          cell: ({ date }) => (
            <>
              <span className={styles.columnName}>{t('personSignedIn')} </span>
              <Time date={date} form="moment" />
            </>
          ),
        },
        {
          name: t('peopleSeen'),
          kind: 'time',
          cell: ({ seen }) => (
            <>
              <span className={styles.columnName}>{t('peopleSeen')} </span>
              <Time date={seen} form="moment" />
            </>
          ),
        },
      ]}
    />
  )
}
