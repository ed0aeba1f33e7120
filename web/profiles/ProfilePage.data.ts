import { UserId } from '#contract/fields.ts'
import { profiles } from '#contract/profiles.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

/** No name is longer, present or former. */
const LONGEST_NAME = 29

/** A name in the address, present or given up, leads to its person. */
export const loader = (async ({ params, url, api }) => {
  const given = params['id'] ?? ''
  const id = UserId.safeParse(given)
  if (!id.success) {
    const person = await api(profiles.named, { name: given.slice(0, LONGEST_NAME + 1) })
    throw leave(to.profile(person.id))
  }
  const asked = url.searchParams.get('show')
  const show = asked === 'courses' || asked === 'comments' ? asked : 'lessons'
  return { profile: await api(profiles.show, { id: id.data }), show } as const
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ profile }) => ({
  title: profile.username,
  hidden: true,
})
