import type { HeadOf } from '#web/core/page.ts'

export { default as Page } from '#web/items/lessons/LessonCreatePage.tsx'

/** Hidden from search engines, because a form is no search result. */
export const head: HeadOf<null> = (_data, { t }) => ({ title: t('newLesson'), hidden: true })
