import { chat } from '#contract/chat.ts'
import { profiles } from '#contract/profiles.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

/** No name is longer, present or former. */
const LONGEST_NAME = 29

/** A former name in the address leads to the present one; nobody's is a page that is not found. */
export const loader = (async ({ api, url, person }) => {
  const given = url.searchParams.get('receiver') ?? ''
  const name = given.trim().slice(0, LONGEST_NAME + 1)
  if (name === '') return { contacts: await api(chat.contacts, {}), talk: null, isSelf: false }
  const other = await api(profiles.named, { name })
  if (other.userName !== given) throw leave(to.chat(other.userName))
  if (other.id === person?._id)
    return { contacts: await api(chat.contacts, {}), talk: null, isSelf: true }
  const [contacts, history, { blocked }] = await Promise.all([
    api(chat.contacts, {}),
    api(chat.history, { receiver: other.userName }),
    api(chat.isBlocked, { id: other.id }),
  ])
  const unread = contacts.find(({ id }) => id === other.id)?.unread ?? 0
  return { contacts, talk: { other, history, blocked, unread }, isSelf: false }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ talk }, { t }) => ({
  title: talk === null ? t('chatTitle') : t('chatWithPerson', { username: talk.other.userName }),
  hidden: true,
})
