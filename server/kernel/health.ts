/** `/healthz`: the process answers. `/readyz`: it can do its work. */
import type { FastifyInstance } from 'fastify'

const CHECK_MS = 2000

export interface HealthNeeds {
  /** Rejects when a part that every write needs is away. */
  check(): Promise<unknown>
}

export function registerHealth(app: FastifyInstance, needs: HealthNeeds): void {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const late = AbortSignal.timeout(CHECK_MS)
    const lateness = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error('the check took too long')), {
        once: true,
      })
    })
    try {
      await Promise.race([needs.check(), lateness])
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply.code(503).header('retry-after', 5).send({ status: 'unavailable' })
    }
  })
}
