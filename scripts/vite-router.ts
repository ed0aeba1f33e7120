/** Leaves out of the router what it only does for options that this product never gives: 2.5 KB of every page. */
import type { Plugin } from 'vite'

const ROUTER =
  /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/](router[\\/]router|dom[\\/]lib)\.js$/
/** By file: what it asks, and the answer that is always the same here. */
const ANSWERS: Readonly<Record<string, readonly (readonly [asked: string, answer: string])[]>> = {
  router: [
    // Whether somebody outside watches its loaders and steps.
    ['init.instrumentations', 'false'],
    ['consumeInstrumentationClientResultMetaReceiver(router)', 'void 0'],
    ['opts?.instrumentationNavigateMetaReceiver', 'false'],
    // Whether a form was sent through it: ours go through the api, and those that only ask for a page are steps.
    ['isMutationMethod(state.navigation.formMethod)', 'false'],
    ['isMutationMethod(submission.formMethod)', 'false'],
    ['isMutationMethod(opts.submission.formMethod)', 'false'],
    ['isMutationMethod(activeSubmission.formMethod)', 'false'],
    ['isMutationMethod(request.method)', 'false'],
    // Whether somebody holds a step back.
    ['if (blockerKey && delta != null) {', 'if (false) {'],
    ['if (blockerKey) {', 'if (false) {'],
    ['warning(blockerFunctions.size === 0 || delta != null,', 'false && warning(true,'],
    // Whether the search for a page may be given up, and pages be exchanged while one develops.
    ['future.unstable_customRouteDiscovery', 'false'],
    ['if (allowElementMutations && ', 'if (false && '],
    ['\t\t_internalSetRoutes,\n', ''],
    // What nobody calls: data without a step, and pages from outside.
    ['\t\tfetch,\n', ''],
    ['\t\tgetBlocker,\n', ''],
    ['\t\tpatchRoutes,\n', ''],
  ],
  // Whether a link fetches the pages that a server of the router's own kind has described; warm.ts does ours.
  lib: [
    ['usePrefetchBehavior(prefetch, rest)', '[false, null, {}]'],
    ['shouldPrefetch && !isAbsolute', 'false'],
  ],
}

/** Builds the browser's router with these answers; fails where its sources no longer ask. */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    transform: {
      filter: { id: ROUTER },
      handler(code, id) {
        const answers = ANSWERS[/(\w+)\.js$/.exec(id)?.[1] ?? ''] ?? []
        const lean = answers.reduce((text, [asked, answer]) => {
          if (!text.includes(asked)) this.error(`the router no longer says ${asked}: look again`)
          return text.replaceAll(asked, answer)
        }, code)
        return { code: lean, map: null }
      },
    },
  }
}
