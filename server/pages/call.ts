/** The calls of a page's loader, in this process: the same route, cut to the contract, without HTTP. */
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallContext, Route } from '#server/kernel/call.ts'
import { toProblem, toRefusal } from '#server/kernel/http-errors.ts'
import type { Log } from '#server/kernel/log.ts'
import type { RenderRequest } from '#server/pages/renderer.ts'

const nameOf = (endpoint: Endpoint) => `${endpoint.methods[0]} ${endpoint.path}`

export type CallOf = (context: CallContext) => RenderRequest['call']

/** The built web has its own copies of the endpoints, so they are found by name. */
export function createPageCall(routes: readonly Route[], log: Log): CallOf {
  const byName = new Map(routes.map((entry) => [nameOf(entry.endpoint), entry]))
  return (context) => async (endpoint, input, quiet) => {
    const entry = byName.get(nameOf(endpoint))
    if (entry === undefined) throw new Error(`no route for ${nameOf(endpoint)}`)
    try {
      const answer = await entry.run(
        {
          ...context,
          method: entry.endpoint.methods[0],
          countsView: context.countsView && !quiet,
        },
        input,
      )
      // What the serialiser does for HTTP: nothing that the contract does not name may reach the page.
      return {
        ok: true,
        answer: entry.endpoint.answer === null ? null : entry.endpoint.answer.parse(answer),
      }
    } catch (error) {
      const refusal = toRefusal(error)
      if (refusal === null) log.error({ err: error, call: nameOf(endpoint) }, 'fault')
      const { title, status, errors = {} } = toProblem(refusal, context.locale)
      const fields = Object.fromEntries(
        Object.entries(errors).map(([field, said]) => [field, said[0] ?? '']),
      )
      return { ok: false, status, message: title, fields }
    }
  }
}
