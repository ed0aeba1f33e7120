import { lessons } from '#contract/lessons.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/items/captions/page/CaptionsPage.tsx'

/** Captions and offers are loaded by the page, because they may have megabytes. @throws a redirect to the list */
export const loader = (async ({ params, api }) => {
  const id = /^[1-9]\d{0,14}$/.test(params['id'] ?? '')
    ? Number(params['id'])
    : Number.MAX_SAFE_INTEGER
  const { title, can, inside } = await api(lessons.show, { id }, { quiet: true })
  if (!can.see || !(can.edit || can.rate)) throw leave(to.lessons())
  return { id, title, isAuthor: can.edit, languages: inside.captions }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = ({ title }, { t }) => ({
  title: `${t('captions')}: ${title}`,
  hidden: true,
})
