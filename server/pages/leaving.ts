/** Logging out without script: the button of the page posts a form, and a person must land on a page. */
import type { FastifyInstance } from 'fastify'
import { accounts } from '#contract/accounts.ts'

/** The form sends text/plain (its encoding says so): it has no fields, and the framework reads no other kind. */
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
