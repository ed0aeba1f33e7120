import { likes } from '#contract/likes.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/profiles/LikedPage.tsx'

/** The lessons and courses that the signed-in person likes. */
export const loader = (({ api }) => api(likes.liked, {})) satisfies Loader<unknown>

/** Hidden from search engines: the page shows each person something else. */
export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('likedTitle'),
  hidden: true,
})
