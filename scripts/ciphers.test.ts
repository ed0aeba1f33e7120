/**
 * Compares the cryptographic algorithms in the sources with the inventory in docs/security.md, and refuses broken
 * ones.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOMS = ['server', 'contract', 'web', 'worker', 'packages/signalr-server/src']
const NO_PRODUCT = /\.test\.tsx?$|\/testing\//
/** Calls whose first argument names the algorithm. */
const CALLS =
  /\b(createHash|createHmac|hkdfSync|createCipheriv|createDecipheriv|generateKeyPairSync)\(\s*([^,)\s]+)/g
/** Allowed algorithms by function. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  createHash: ['sha256'],
  createHmac: ['sha256'],
  hkdfSync: ['sha256'],
  createCipheriv: ['aes-256-gcm'],
  createDecipheriv: ['aes-256-gcm'],
  generateKeyPairSync: ['ed25519'],
}
/** Uses of SHA-1 as a short identifier. A collision would only affect the person who creates it. */
const NAMES_BY_SHA1 = [
  'server/kernel/http/conditional.ts',
  'server/pages/cache/cached-page.ts',
  'server/pages/feeds/sealed.ts',
  'server/platform/db/connect.ts',
]
/** Algorithms of ours and of libraries as docs/security.md lists them. */
const LISTED = [
  'HS256',
  'HMAC-SHA-256',
  'HKDF',
  'AES-256-GCM',
  'argon2id',
  'SHA-256',
  'SHA-1',
  'Ed25519',
  'age',
]
/** Cryptographic modules, and the files that may import them. */
const LIBRARIES: Readonly<Record<string, RegExp>> = {
  'node:crypto': /^(?:server|packages)\//,
  jose: /^server\/(?:people\/accounts|items\/certificates)\//,
  '@node-rs/argon2': /^server\/people\/accounts\/passwords\.ts$/,
  'age-encryption': /^server\/operate\/backup\/archive\/encryption\.ts$/,
}
const OTHERS =
  /from '(crypto|node:webcrypto|crypto-js|bcrypt\w*|scrypt\w*|tweetnacl|libsodium\S*|@noble\/\S+|node-forge|sjcl)'/

interface Source {
  readonly file: string
  readonly text: string
}

/** Sources without comments. */
const sources: readonly Source[] = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((path) => `${room}/${path}`)
    .filter((file) => /\.tsx?$/.test(file) && !NO_PRODUCT.test(file)),
).map((file) => ({
  file,
  text: readFileSync(file, 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, ''),
}))

/** Resolves an argument: a literal is itself, a name is the constant in its file. */
function valueOf(word: string, text: string): string {
  const literal = /^'([^']*)'$/.exec(word)
  if (literal !== null) return literal[1] ?? ''
  return new RegExp(`\\bconst ${word} = '([^']*)'`).exec(text)?.[1] ?? `? ${word}`
}

const calls = sources.flatMap(({ file, text }) =>
  [...text.matchAll(CALLS)].map(([, call = '', word = '']) => ({
    file,
    call,
    by: valueOf(word, text),
  })),
)

test('hashes, signatures and ciphers are those of the list alone', () => {
  expect(calls.length).toBeGreaterThan(30)
  const isNamed = ({ file, call, by }: (typeof calls)[number]) =>
    ALGORITHMS[call]?.includes(by) === true || (by === 'sha1' && NAMES_BY_SHA1.includes(file))
  expect(calls.filter((call) => !isNamed(call))).toEqual([])
  const bySha1 = calls.filter(({ by }) => by === 'sha1').map(({ file }) => file)
  expect([...new Set(bySha1)].toSorted()).toEqual(NAMES_BY_SHA1)
})

test('they are Node’s and those of known libraries, each in its place, and no others', () => {
  const wrong = sources.flatMap(({ file, text }) => {
    const imported = [...text.matchAll(/from '([^'.#][^']*)'/g)].map(([, name = '']) => name)
    const misplaced = imported.filter((name) => LIBRARIES[name]?.test(file) === false)
    const [, other] = OTHERS.exec(text) ?? []
    return [...misplaced, ...(other === undefined ? [] : [other])].map((name) => `${file}: ${name}`)
  })
  expect(wrong).toEqual([])
})

test('docs/security.md lists each of them', () => {
  const [row = ''] =
    /^\| 11\.1 Inventory \|.*$/m.exec(readFileSync('docs/security.md', 'utf8')) ?? []
  expect(LISTED.filter((name) => !row.includes(name))).toEqual([])
})

test('nothing on the server is drawn by Math.random', () => {
  const drawn = sources.filter(({ text }) => text.includes('Math.random'))
  expect(drawn.map(({ file }) => file).filter((file) => !file.startsWith('web/'))).toEqual([])
})
