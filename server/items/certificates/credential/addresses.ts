/** Endpoints for verifiers: credentials, status lists and keys. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { KEYS_PATH } from '#contract/certificates.ts'
import { CREDENTIALS_A_MINUTE } from '#contract/limits.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { certificateGone } from '#server/items/certificates/certificates.ts'
import {
  LISTED_TOGETHER,
  signCredential,
  toCredential,
} from '#server/items/certificates/credential/credential.ts'
import { didDocument } from '#server/items/certificates/credential/did.ts'
import { createSigning, listKeys, SEALED_FOR } from '#server/items/certificates/credential/keys.ts'
import { toStatusList, TTL_MS } from '#server/items/certificates/credential/status-list.ts'
import { findCertificate, findEnded } from '#server/items/certificates/store.ts'
import { attachment } from '#server/platform/files/names.ts'
import type { Core } from '#server/platform/core/core.ts'
import { notFound, Refusal } from '#server/kernel/errors.ts'
import { networkOf } from '#server/kernel/network.ts'
import { createRate } from '#server/kernel/limits/rates.ts'

const CREDENTIAL = /^([0-9a-hjkmnp-tv-z]{26})\.jwt$/
const STATUS = /^status-(0|[1-9]\d{0,9})\.jwt$/
/** A verifier may be a page of another site. */
const FOR_ALL = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
} as const
const CACHED = `public, max-age=${TTL_MS / 1000}`

export function registerCredentials(app: FastifyInstance, core: Core): void {
  const { db, config, settings, publicUrl, clock } = core
  const rate = createRate(CREDENTIALS_A_MINUTE, config)
  const signing = createSigning({ ...core, sealing: createSealing(core.secrets, SEALED_FOR) })

  app.get(KEYS_PATH, async (request, reply) => {
    rate.count(networkOf(request.ip))
    const document = didDocument(publicUrl, await listKeys(db))
    return reply
      .headers({ ...FOR_ALL, 'cache-control': CACHED })
      .type('application/did+json')
      .send(JSON.stringify(document))
  })

  const sendCredential = async (reply: FastifyReply, code: string) => {
    const row = await findCertificate(db, code)
    if (row === null) throw certificateGone()
    if (row.state === 'withdrawn') throw new Refusal(410, 'certificateWithdrawn')
    if (row.state === 'revoked') throw new Refusal(410, 'certificateRevoked')
    const jwt = await signCredential(
      toCredential(row, { publicUrl, names: settings.current.names }),
      await signing(),
    )
    return reply
      .headers({ 'content-disposition': attachment(`certificate-${code}.jwt`) })
      .headers({ 'cache-control': 'no-cache' })
      .send(jwt)
  }
  const sendStatus = async (reply: FastifyReply, list: number) => {
    const ended = await findEnded(db, list * LISTED_TOGETHER, LISTED_TOGETHER)
    if (ended === null) throw notFound()
    const credential = toStatusList(list, ended, { publicUrl, now: clock.now() })
    const jwt = await signCredential(credential, await signing(), 'vc+jwt')
    return reply.headers({ 'cache-control': CACHED }).send(jwt)
  }

  app.get<{ Params: { file: string } }>('/credentials/:file', async (request, reply) => {
    rate.count(networkOf(request.ip))
    const { file } = request.params
    const code = CREDENTIAL.exec(file.toLowerCase())?.[1]
    const list = STATUS.exec(file)?.[1]
    reply.headers(FOR_ALL).type('application/vc+jwt')
    if (code !== undefined) return sendCredential(reply, code)
    if (list !== undefined) return sendStatus(reply, Number(list))
    throw notFound()
  })
}
