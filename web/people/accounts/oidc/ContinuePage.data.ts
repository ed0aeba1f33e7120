import { identities } from '#contract/identities.ts'
import { nextPath } from '#contract/next-path.ts'
import { ApiError } from '#web/core/api-error.ts'
import { type HeadOf, leave, type Loader } from '#web/core/page.ts'
import { to } from '#web/core/paths.ts'

export { default as Page } from '#web/people/accounts/oidc/ContinuePage.tsx'

/** Redirects if no sign-in is waiting in this browser. */
export const loader = (async ({ api, person }) => {
  try {
    const waiting = await api(identities.waiting, {})
    return { waiting, next: nextPath(waiting.next) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw leave(person === null ? to.refusedLogin('ended') : to.home())
    throw error
  }
}) satisfies Loader<unknown>

export const head: HeadOf<Awaited<ReturnType<typeof loader>>> = (_, { t }) => ({
  title: t('loginTitle'),
  hidden: true,
})
