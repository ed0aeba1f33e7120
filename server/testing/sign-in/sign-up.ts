/**
 * Registers people without HTTP in a hundredth of the CPU time, because it hashes the password cheaply and reuses
 * encoded pictures.
 */
import { createHash } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import * as z from 'zod/mini'
import { Registration } from '#contract/accounts.ts'
import { sessionAnswer } from '#server/people/accounts/answer.ts'
import { welcomeAddress } from '#server/people/accounts/mails/email.ts'
import { createLinkSecrets } from '#server/people/accounts/mails/links.ts'
import { cookieName } from '#server/people/accounts/sessions/cookie.ts'
import { createSession } from '#server/people/accounts/sessions/sessions.ts'
import { openTokens } from '#server/people/accounts/sessions/tokens.ts'
import { insertUser } from '#server/people/accounts/store.ts'
import { pictureKey } from '#server/platform/files/names.ts'
import { encodePicture, type Encoded } from '#server/platform/files/picture-encoding.ts'
import { exchangePicture, hasForms } from '#server/platform/files/picture-life.ts'
import { record } from '#server/platform/events/outbox.ts'
import type { Core } from '#server/platform/core/core.ts'
import { newId } from '#server/kernel/ids.ts'
import { welcomePerson } from '#server/people/points/ledger.ts'
import type { Person } from '#server/testing/app.ts'

/** Argon2 reads the cost from the stored hash, so that signing in works. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }
/** The same as in server/platform/files/pictures.ts. */
const ENCODING = 1

interface Form {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly image: File
}

/** Writes the same rows as a registration. @throws Error when the form is invalid or the name is taken */
export async function signUpDirectly(core: Core, form: Form): Promise<Person> {
  const { db, clock, settings, publicUrl } = core
  const { username, email, password } = z.parse(Registration, form)
  const passwordHash = await hash(password.normalize('NFC'), CHEAP)
  const pictureId = await storePicture(core, form.image)
  const now = clock.now()
  const userId = newId(now.getTime())
  const { sessionId, generation } = await db.transaction().execute(async (tx) => {
    const names = { username, email, hideEmail: false, locale: 'en' } as const
    if (!(await insertUser(tx, { ...names, id: userId, passwordHash, pictureId, now })))
      throw new Error(`${username} or ${email} is taken`)
    await exchangePicture(tx, { before: null, after: pictureId, ownerId: userId, as: 'face' })
    await welcomePerson(tx, userId, settings.current.WELCOME_POINTS, now)
    await welcomeAddress(tx, createLinkSecrets(core.secrets[0]), userId, now)
    await record(tx, { type: 'user.registered', userId }, now)
    return createSession(tx, userId, 'node', now)
  })
  const tokens = openTokens(core)
  return {
    session: await sessionAnswer({ ...core, tokens }, userId, sessionId),
    cookie: `${cookieName(publicUrl)}=${tokens.refreshToken(sessionId, generation)}`,
    password: form.password,
  }
}

/** Encodes each picture once per process, even for several apps. */
const encodings = new Map<string, Promise<Encoded>>()

async function storePicture({ db, storage }: Core, image: Blob): Promise<number> {
  const bytes = new Uint8Array(await image.arrayBuffer())
  const key = createHash('sha256').update(`${ENCODING}:`).update(bytes).digest('hex').slice(0, 40)
  const encoding = encodings.get(key) ?? encodePicture(bytes)
  encodings.set(key, encoding)
  const { forms, width, height, placeholder } = await encoding
  const size = forms.reduce((sum, { content }) => sum + content.byteLength, 0)
  const { id } = await db
    .insertInto('pictures')
    .values({ key, width, height, placeholder, bytes: size })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!(await hasForms(storage, key)))
    for (const form of forms) await storage.put(pictureKey(key, form.width), form.content)
  return id
}
