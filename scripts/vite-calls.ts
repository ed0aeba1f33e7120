/**
 * The contract as the browser needs it. What the server parses, cuts and describes by stays there; and a noun's calls
 * become a module apart from its schemas (`lessons.ts?calls`), so that a page which only calls loads no schema library.
 */
import { parseSync, type Plugin, Visitor } from 'vite'
import { pathBelow } from './vite-chunks.ts'

const CONTRACT = /^contract\/([\w-]+\.ts)(\?calls)?$/
const CALLS = /\.ts\?calls$/
const FOR_SERVERS = new Set(['input', 'answer', 'summary', 'status', 'lists'])

interface Span {
  readonly start: number
  readonly end: number
}

interface Declaration extends Span {
  readonly name: string
  readonly cuts: Span[]
}

export function calls(): Plugin {
  return {
    name: 'calls',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    async resolveId(source, importer) {
      if (!CALLS.test(source)) return null
      const file = await this.resolve(source.replace('?calls', ''), importer)
      return file === null ? null : `${file.id}?calls`
    },
    transform(code, id) {
      const [, file, apart] = CONTRACT.exec(pathBelow(id)) ?? []
      if (file === undefined) return null
      const { names, schemas, calls } = splitCalls(code)
      const rest =
        names.length === 0
          ? code
          : `${schemas}\nexport { ${names.join(', ')} } from '#contract/${file}?calls'`
      return { code: apart === undefined ? rest : calls, map: null, moduleSideEffects: false }
    },
  }
}

/** A module's groups of calls, without what is for servers, and the module without them. */
export function splitCalls(source: string): {
  readonly names: readonly string[]
  readonly schemas: string
  readonly calls: string
} {
  const groups = source.includes('endpoint({') ? findGroups(source) : []
  const texts = groups.map(({ start, end, cuts }) =>
    without(source.slice(0, end), cuts).slice(start),
  )
  return {
    names: groups.map(({ name }) => name),
    schemas: without(source, groups),
    calls: `import { endpoint } from '#contract/endpoint.ts'\n${texts.join('\n')}`,
  }
}

/** `export const lessons = { all: endpoint({ … }), … }`. */
function findGroups(source: string): Declaration[] {
  const groups: Declaration[] = []
  const cuts: Span[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [options] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return
      if (options?.type !== 'ObjectExpression') return
      for (const [place, property] of options.properties.entries()) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
        const end = options.properties[place + 1]?.start ?? options.end - 1
        if (FOR_SERVERS.has(property.key.name)) cuts.push({ start: property.start, end })
      }
    },
    'ExportNamedDeclaration:exit'({ start, end, declaration }) {
      if (cuts.length === 0 || declaration?.type !== 'VariableDeclaration') return
      const [group] = declaration.declarations
      if (group?.id.type !== 'Identifier') return
      groups.push({ name: group.id.name, start, end, cuts: cuts.splice(0) })
    },
  })
  visitor.visit(parseSync('contract.ts', source).program)
  return groups
}

function without(source: string, spans: readonly Span[]): string {
  return spans.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), source)
}
