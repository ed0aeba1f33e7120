import { isFormerMember } from '#contract/former-member.ts'
import { lessons } from '#contract/lessons.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { lessonId } from '#web/items/lessons/open-lesson.ts'

export { default as Page } from '#web/community/contact/ContactPage.tsx'

/** Redirects to the lesson if its owner's account was erased. */
export const loader = (async ({ params, url, api }) => {
  // Writing to the owner does not count as a view.
  const lesson = await api(lessons.show, { id: lessonId(params['id']) }, { quiet: true })
  // Leaves out the lesson's content, which the page does not need.
  const { id, title, owner, ownerName, ownerImage } = lesson
  if (isFormerMember(ownerName)) throw leave(to.lesson(id))
  const isSent = url.searchParams.has('sent')
  return { lesson: { id, title, owner, ownerName, ownerImage }, isSent }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }) => ({
  title: `${t('contactTitle')}: ${lesson.title}`,
  hidden: true,
})
