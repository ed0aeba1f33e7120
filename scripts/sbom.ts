/** `npm run --silent sbom` prints a CycloneDX 1.5 bill of materials of all packages in package-lock.json. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readArguments } from '#scripts/arguments.mjs'

interface Component {
  name: string
  'bom-ref': string
  purl: string
}

const WORDS = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']

const HELP = `npm run --silent sbom               prints the bill of materials (CycloneDX 1.5) of every package of the lock file
npm run --silent sbom -- --omit dev   leaves out what only development needs (dev, optional or peer; several times)
`
const { values } = readArguments(HELP, { options: { omit: { type: 'string', multiple: true } } })
const omitted = (values.omit ?? []).map((kind) => `--omit=${kind}`)

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'name' | 'version',
  string
>
const text = execFileSync('npm', [...WORDS, ...omitted], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
})
// npm names the product after its folder.
const bill = JSON.parse(text) as {
  metadata: { component: Component }
  dependencies: { ref: string }[]
}
const { component } = bill.metadata
const ref = `${name}@${version}`
for (const one of bill.dependencies) if (one.ref === component['bom-ref']) one.ref = ref
Object.assign(component, { name, 'bom-ref': ref, purl: `pkg:npm/${ref}` })
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
