/** Pages, built files, generated art, catalogues: everything that a browser gets and that is no call. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { avatar, cover } from '#contract/art.ts'
import { catalogues } from '#contract/messages/messages.ts'
import { registerLeaving } from '#server/pages/leaving.ts'
import type { Pages } from '#server/pages/pages.ts'
import { commonHeaders } from '#server/pages/policy.ts'

export interface RegisterNeeds {
  readonly pages: Pages
  /** The folder of the build: dist. */
  readonly folder: string
  readonly publicUrl: string
}

const FOR_EVER = 'public, max-age=31536000, immutable'
const A_DAY = 'public, max-age=86400'
/** A drawing opened by itself may load and run nothing. */
const ART_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
/** These never fall through to a page. */
const NO_PAGE = /^\/(?:api(?!\/docs\/?(?:\?|$))|files|assets|art|locales|chathub)(?:\/|$)/i

const artists: Readonly<Record<string, (seed: string) => string>> = { cover, avatar }

export async function registerPages(
  app: FastifyInstance,
  { pages, folder, publicUrl }: RegisterNeeds,
): Promise<void> {
  const safe = commonHeaders(publicUrl.startsWith('https:'))
  await app.register(fastifyStatic, {
    root: join(folder, 'client/assets'),
    prefix: '/assets/',
    preCompressed: true,
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply) => {
      for (const [name, value] of Object.entries(safe)) reply.header(name, value)
      reply.header('cache-control', FOR_EVER)
    },
  })

  app.get<{ Params: { kind: string; file: string } }>('/art/:kind/:file', (request, reply) => {
    const draw = artists[request.params.kind]
    const seed = /^([\w.-]{1,100})\.svg$/.exec(request.params.file)?.[1]
    if (draw === undefined || seed === undefined) return reply.callNotFound()
    const policy = { 'cache-control': FOR_EVER, 'content-security-policy': ART_POLICY }
    return reply
      .headers({ ...safe, ...policy })
      .type('image/svg+xml')
      .send(draw(seed))
  })

  app.get<{ Params: { file: string } }>('/locales/:file', (request, reply) => {
    const locale = /^(en|bg)\.json$/.exec(request.params.file)?.[1]
    if (locale !== 'en' && locale !== 'bg') return reply.callNotFound()
    const body = JSON.stringify(catalogues[locale])
    return reply
      .headers({ ...safe, 'cache-control': A_DAY })
      .type('application/json; charset=utf-8')
      .send(body)
  })

  const favicon = await readFile(fileURLToPath(new URL('favicon.svg', import.meta.url)))
  app.get('/favicon.svg', (_, reply) => {
    const policy = { 'cache-control': A_DAY, 'content-security-policy': ART_POLICY }
    return reply
      .headers({ ...safe, ...policy })
      .type('image/svg+xml')
      .send(favicon)
  })

  app.get('/robots.txt', (_, reply) =>
    reply
      .headers({ ...safe, 'cache-control': A_DAY })
      .type('text/plain; charset=utf-8')
      .send('User-agent: *\nDisallow: /api/\nDisallow: /files/resources/\n'),
  )

  registerLeaving(app)

  app.get('/*', async (request, reply) => {
    if (NO_PAGE.test(request.url)) return reply.callNotFound()
    // Written past the framework, in the same way as the pages that never reach it.
    reply.hijack()
    await pages.answerPage(request.raw, reply.raw)
  })
}
