/** Serves built files, whose names contain a hash of their content, so browsers cache them forever. */
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createAssetFinder } from '#server/pages/built/builds.ts'
import type { Headers } from '#server/pages/policy.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const FILE_NAME = /^\w[\w.-]{0,200}$/

/** @param folder the served build */
export async function registerBuiltFiles(
  app: FastifyInstance,
  { folder, headers }: { folder: string; headers: Headers },
): Promise<void> {
  const find = await createAssetFinder(folder)
  await app.register(fastifyStatic, {
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => {
      for (const [name, value] of Object.entries(headers)) reply.header(name, value)
      reply.header('cache-control', FOR_EVER)
    },
  })
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params
    const root = FILE_NAME.test(name) ? await find(name) : null
    return root === null ? reply.callNotFound() : reply.sendFile(name, root)
  })
}
