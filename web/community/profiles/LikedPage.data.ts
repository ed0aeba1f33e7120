import { likes } from '#contract/likes.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'

export { default as Page } from '#web/community/profiles/LikedPage.tsx'

export const loader = (({ api }) => api(likes.liked, {})) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_data, { t }) => ({
  title: t('likedTitle'),
  hidden: true,
})
