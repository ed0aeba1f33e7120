import { isFormerMember } from '#contract/former-member.ts'
import { lessons } from '#contract/lessons.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'
import { lessonId } from '#web/lessons/open-lesson.ts'

export { default as Page } from '#web/mail/ContactPage.tsx'

/**
 * The lesson that the letter is about, its owner, and whether the form was sent without script.
 * @throws a redirect to the lesson when its owner has erased the account and nobody would get the letter
 */
export const loader = (async ({ params, url, api }) => {
  // Writing about a lesson is no view of it.
  const lesson = await api(lessons.show, { id: lessonId(params['id']) }, { quiet: true })
  // What is inside stays where it is.
  const { id, title, owner, ownerName, ownerImage } = lesson
  if (isFormerMember(ownerName)) throw leave(to.lesson(id))
  const isSent = url.searchParams.has('sent')
  return { lesson: { id, title, owner, ownerName, ownerImage }, isSent }
}) satisfies Loader<unknown>

/** Named after the lesson; hidden from search engines, for a form is nothing to find. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ lesson }, { t }) => ({
  title: `${t('contactTitle')}: ${lesson.title}`,
  hidden: true,
})
