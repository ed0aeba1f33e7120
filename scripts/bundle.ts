/**
 * `node scripts/bundle.ts FOLDER` bundles server/main.ts with the packages that every start loads. Node then reads
 * a few files instead of some 1,800, which saves a third of the start (docs/decisions/0049). Packages that are
 * loaded later, or that find files by their own location, are not bundled.
 */
import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { build, type Plugin } from 'vite'

const root = dirname(import.meta.dirname)
const FOLDER = 'node_modules'
/** Resolves a symbolic link, because node_modules may be one. */
const MODULES = realpathSync(join(root, FOLDER))
/** Packages that every start loads. Their dependencies are also in this list or nested in them. */
const BUNDLED: ReadonlySet<string> = new Set([
  '@fastify/ajv-compiler',
  '@fastify/busboy',
  '@fastify/cors',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/helmet',
  '@fastify/merge-json-schemas',
  '@fastify/multipart',
  '@fastify/send',
  '@fastify/static',
  '@fastify/under-pressure',
  '@ioredis/commands',
  '@msgpack/msgpack',
  '@opentelemetry/api',
  'ajv',
  'ajv-formats',
  'avvio',
  'b4a',
  'bintrees',
  'client-zip',
  'cluster-key-slot',
  'dom-serializer',
  'domhandler',
  'domutils',
  'entities',
  'fast-fifo',
  'fast-json-stringify',
  'fast-querystring',
  'fast-uri',
  'fastify',
  'fastify-plugin',
  'find-my-way',
  'htmlparser2',
  'ioredis',
  'jose',
  'kysely',
  'mime',
  'otpauth',
  'pg',
  'pg-connection-string',
  'pg-copy-streams',
  'pg-cursor',
  'pg-int8',
  'pg-pool',
  'pg-protocol',
  'pg-types',
  'picocolors',
  'postcss',
  'postgres-array',
  'postgres-bytea',
  'postgres-date',
  'postgres-interval',
  'prom-client',
  'redis-errors',
  'ret',
  'sanitize-html',
  'semver',
  'source-map-js',
  'standard-as-callback',
  'statuses',
  'streamx',
  'tar-stream',
  'text-decoder',
  'ws',
  'xtend',
  'zod',
])

/** Returns the package of a file in node_modules, and whether the product itself would resolve to this copy. */
function packageOf(path: string): { name: string; isOutermost: boolean } | null {
  const at = path.lastIndexOf(`${sep}${FOLDER}${sep}`)
  if (at === -1) return null
  const [first = '', second = ''] = path.slice(at + FOLDER.length + 2).split(sep)
  return {
    name: first.startsWith('@') ? `${first}/${second}` : first,
    isOutermost: path.slice(0, at + FOLDER.length + 1) === MODULES,
  }
}

/** External packages are imported by name. Two nested versions of a package would be confused. */
const leavePackages: Plugin = {
  name: 'leave-packages',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (source.startsWith('node:') || importer === undefined) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (found === null) return null
    const owner = packageOf(found.id)
    if (owner === null || BUNDLED.has(owner.name) || !owner.isOutermost) return found
    return { id: source.startsWith('.') ? found.id : source, external: true }
  },
}

/** Modules locate their files relative to their source instead of the bundle. */
function pointToSources(folder: string): Plugin {
  return {
    name: 'point-to-sources',
    enforce: 'pre',
    transform(code, id) {
      const isOurs = ['server', 'packages'].some((room) => id.startsWith(join(root, room)))
      if (!isOurs || !code.includes('import.meta.')) return null
      const from = (path: string) =>
        `new URL(${JSON.stringify(relative(folder, path).replaceAll(sep, '/'))}, import.meta.url)`
      const moved = code
        .replaceAll(/\bimport\.meta\.url\b/g, `${from(id)}.href`)
        .replaceAll(/\bimport\.meta\.dirname\b/g, `pathOfSource(${from(dirname(id))})`)
      // Added to the first line, so that line numbers don't change.
      const needs = moved.includes('pathOfSource(')
      return `${needs ? `import { fileURLToPath as pathOfSource } from 'node:url';` : ''}${moved}`
    },
  }
}

const [folder = ''] = process.argv.slice(2)
await build({
  configFile: false,
  root,
  logLevel: 'warn',
  plugins: [leavePackages, pointToSources(folder)],
  ssr: { noExternal: true },
  build: {
    ssr: 'server/main.ts',
    outDir: folder,
    emptyOutDir: true,
    copyPublicDir: false,
    minify: false,
    target: 'node26',
    // In the folder of main.js, so that the relative path to the sources is the same for all chunks.
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
  },
})
