import type { PageAccess, PageModule } from '#web/core/router/route-page.ts'

/**
 * `name` is the page's component, by which the server finds its chunks in the build's manifest. `page`
 * imports its data module, which exports the page too: both become one chunk, and a changed component is replaced
 * in place. `desk` marks pages whose texts are in the second catalogue: desk, account and privacy policy.
 */
export type RouteLine = readonly [
  path: string,
  access: PageAccess,
  name: string,
  page: () => Promise<PageModule>,
  texts?: 'desk',
]
