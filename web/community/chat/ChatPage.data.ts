import { chat } from '#contract/chat.ts'
import { FORMER_FACE, FORMER_MEMBER, isFormerMember } from '#contract/former-member.ts'
import { profiles } from '#contract/profiles.ts'
import type { Api } from '#web/core/api.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/community/chat/ChatPage.tsx'

/** No current or former name is longer. */
const LONGEST_NAME = 29

/** The `receiver` of an erased account is its id, which has a shape that no name can have. */
const PERSON_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Loads the conversation with an erased account. */
async function loadFormer(api: Api, id: string) {
  const [contacts, history] = await Promise.all([
    api(chat.contacts, {}),
    api(chat.history, { receiver: id }),
  ])
  const unread = contacts.find((contact) => contact.id === id)?.unread ?? 0
  const other = { id, userName: FORMER_MEMBER, imageUrl: FORMER_FACE }
  return { contacts, talk: { other, history, blocked: false, unread }, isSelf: false }
}

/** A former name redirects to the current one. An unknown name is a 404. */
export const loader = (async ({ api, url, person }) => {
  const given = url.searchParams.get('receiver') ?? ''
  const name = given.trim().slice(0, LONGEST_NAME + 1)
  if (name === '') return { contacts: await api(chat.contacts, {}), talk: null, isSelf: false }
  if (PERSON_ID.test(given)) return loadFormer(api, given)
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

/** Conversations are private, so search engines must not index them. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ talk }, { t }) => ({
  title:
    talk === null
      ? t('chatTitle')
      : t('chatWithPerson', {
          username: isFormerMember(talk.other.userName) ? t('formerMember') : talk.other.userName,
        }),
  hidden: true,
})
