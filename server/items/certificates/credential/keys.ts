/**
 * Signing keys of credentials. They are created on first use and stored in the database, so that nodes share them
 * and backups include them. Private keys are encrypted with AUTH_SECRETS, so that a copy of the database alone
 * can't sign.
 */
import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { calculateJwkThumbprint, importJWK, type CryptoKey, type JWK } from 'jose'
import type { Sealing } from '#server/people/accounts/factors/sealing.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { lock, lockName } from '#server/platform/db/locks.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { unavailable } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'

/** The purpose of the encryption. Secrets for other purposes can't be decrypted with it. */
export const SEALED_FOR = 'certificates'
export const ALGORITHM = 'EdDSA'

export interface KeyNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly sealing: Sealing
}

export interface SigningKey {
  readonly kid: string
  readonly key: CryptoKey
}

interface StoredKey {
  readonly kid: string
  readonly public_half: string
  readonly sealed: Buffer
}

/** The public key as a JSON Web Key. */
const publicJwk = (x: string): JWK => ({ kty: 'OKP', crv: 'Ed25519', x })

async function findSigning(db: DbOrTx): Promise<StoredKey | null> {
  const { rows } = await sql<StoredKey>`
    select kid, public_half, sealed from certificate_keys
    where replaced_at is null and sealed is not null`.execute(db)
  return rows[0] ?? null
}

/** Returns all keys that verify credentials, newest first. */
export async function listKeys(db: Db): Promise<{ kid: string; jwk: JWK }[]> {
  const { rows } = await sql<{ kid: string; x: string }>`
    select kid, public_half as x from certificate_keys order by id desc`.execute(db)
  return rows.map(({ kid, x }) => ({ kid, jwk: publicJwk(x) }))
}

/** The key id is the RFC 7638 thumbprint of the public key. */
async function makeKey(tx: Tx, { clock, sealing }: KeyNeeds): Promise<StoredKey> {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint(publicJwk(x))
  const sealed = sealing.seal(d, kid)
  await sql`
    insert into certificate_keys (kid, public_half, sealed, created_at)
    values (${kid}, ${x}, ${sealed}, ${clock.now()})`.execute(tx)
  return { kid, public_half: x, sealed }
}

/**
 * Creates a new signing key. Older signatures stay valid, because their public keys stay published. `forget`
 * removes the older keys and invalidates their signatures, for use after a leak. Returns the new key's id.
 */
export function rotateKey(needs: KeyNeeds, forget: boolean): Promise<string> {
  return needs.db.transaction().execute(async (tx) => {
    await lock(tx, lockName.certificateKey)
    await sql`
      update certificate_keys set replaced_at = ${needs.clock.now()}, sealed = null
      where replaced_at is null`.execute(tx)
    if (forget) await sql`delete from certificate_keys where replaced_at is not null`.execute(tx)
    const { kid } = await makeKey(tx, needs)
    return kid
  })
}

/**
 * Returns a function that gets the current signing key, creating it if necessary.
 * @throws Refusal 503 when it can't be decrypted
 */
export function createSigning(needs: KeyNeeds & { readonly log: Log }): () => Promise<SigningKey> {
  const { db, log } = needs
  let known: SigningKey | undefined
  return async () => {
    const stored = (await findSigning(db)) ?? (await makeFirst(needs))
    if (known?.kid === stored.kid) return known
    const { kid } = stored
    const d = await open(needs, stored)
    if (d === null) {
      log.error(
        { kid },
        'the key of certificates was sealed with AUTH_SECRETS that are gone: npm run admin -- certificates rotate',
      )
      throw unavailable()
    }
    const key = await importJWK({ ...publicJwk(stored.public_half), d }, ALGORITHM)
    if (key instanceof Uint8Array) throw new TypeError('a signing key is no secret')
    known = { kid, key }
    return known
  }
}

/** If two nodes need the first key concurrently, only one creates it. */
function makeFirst(needs: KeyNeeds): Promise<StoredKey> {
  return needs.db.transaction().execute(async (tx) => {
    await lock(tx, lockName.certificateKey)
    return (await findSigning(tx)) ?? makeKey(tx, needs)
  })
}

/** Re-encrypts a key that uses an older one of AUTH_SECRETS, because that will be removed one day. */
async function open({ db, sealing }: KeyNeeds, { kid, sealed }: StoredKey): Promise<string | null> {
  const opened = sealing.open(sealed, kid)
  if (opened?.isOld)
    await sql`
      update certificate_keys set sealed = ${sealing.seal(opened.secret, kid)}
      where kid = ${kid} and replaced_at is null`.execute(db)
  return opened?.secret ?? null
}
