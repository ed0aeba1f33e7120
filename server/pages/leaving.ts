/** Signs out without scripts: the button posts a form, and the response must be a page. */
import type { FastifyInstance } from 'fastify'
import { accounts } from '#contract/accounts.ts'

/** The form has no fields and uses text/plain, because the framework doesn't parse url-encoded forms. */
export function registerLeaving(app: FastifyInstance): void {
  app.post('/logout', async (request, reply) => {
    const { cookie, origin, host } = request.headers
    const answer = await app.inject({
      method: 'POST',
      url: `/api${accounts.logout.path}`,
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(origin !== undefined && { origin }),
        ...(host !== undefined && { host }),
      },
    })
    const cookies = answer.headers['set-cookie']
    if (cookies !== undefined) reply.header('set-cookie', cookies)
    return reply.redirect(answer.statusCode < 400 ? '/' : '/logout', 303)
  })
}
