import type { UnusualAccount } from '#contract/economy.ts'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { DeskPerson } from '#web/operate/desk/DeskPerson.tsx'
import { DeskTable } from '#web/operate/desk/DeskTable.tsx'

const WORDS: Readonly<Record<UnusualAccount['what'], MessageKey>> = {
  withheld: 'economyDoesCopy',
  takenBack: 'economyDoesDelete',
  mutual: 'economyDoesTrade',
  stars: 'economyDoesPraise',
  earner: 'economyDoesEarn',
}

export function UnusualAccounts({ accounts }: { readonly accounts: readonly UnusualAccount[] }) {
  const { t } = useText()
  if (accounts.length === 0) return <p>{t('economyUnusualNone')}</p>
  return (
    <DeskTable
      label={t('economyUnusual')}
      rows={accounts}
      keyOf={({ person, what }) => `${person.id} ${what}`}
      columns={[
        {
          name: t('economyAccount'),
          kind: 'person',
          cell: ({ person }) => <DeskPerson person={person} />,
        },
        {
          name: t('economyDoes'),
          kind: 'what',
          cell: ({ what, count }) => t(WORDS[what], { count }),
        },
      ]}
    />
  )
}
