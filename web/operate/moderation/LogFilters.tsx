import type { MessageKey } from '#contract/messages/messages.ts'
import { LogTopic, type LogQuery } from '#contract/moderation.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { DeskChoice, DeskFilters } from '#web/operate/desk/DeskFilters.tsx'
import { DeskSearch } from '#web/operate/desk/DeskSearch.tsx'

const TOPICS: Readonly<Record<LogTopic, MessageKey>> = {
  comments: 'deskComments',
  ratings: 'ratings',
  items: 'logTopicItems',
  people: 'deskPeople',
  flags: 'deskFlags',
  appeals: 'deskAppeals',
  bugs: 'deskBugs',
  mails: 'deskMails',
  jobs: 'deskJobs',
  webhooks: 'deskWebhooks',
  settings: 'deskSettings',
  invitations: 'deskInvitations',
}

interface LogFiltersProps {
  readonly query: LogQuery
  readonly administrators: readonly ProfileCard[]
}

/** Links and a form, so that the filters work without JavaScript. */
export function LogFilters({ query, administrators }: LogFiltersProps) {
  const { t } = useText()
  const { search, actor, about } = query
  const filters = { search, actor, about }
  return (
    <DeskFilters>
      <DeskSearch
        action={to.log()}
        label={t('deskWords')}
        button={t('deskSearch')}
        search={search}
        kept={{ actor, about }}
      />
      {administrators.length > 1 && (
        <DeskChoice
          label={t('logActor')}
          choices={[
            {
              name: t('bandAny'),
              to: to.log({ ...filters, actor: undefined }),
              current: actor === undefined,
            },
            ...administrators.map(({ id, userName }) => ({
              name: userName,
              to: to.log({ ...filters, actor: id }),
              current: actor === id,
            })),
          ]}
        />
      )}
      <DeskChoice
        label={t('logAbout')}
        choices={[undefined, ...LogTopic.options].map((topic) => ({
          name: t(topic === undefined ? 'bandAny' : TOPICS[topic]),
          to: to.log({ ...filters, about: topic }),
          current: about === topic,
        }))}
      />
    </DeskFilters>
  )
}
