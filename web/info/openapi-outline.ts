/** Reduces an OpenAPI document to what the documentation page shows. */

export interface CallField {
  readonly name: string
  readonly place: 'path' | 'query' | 'json' | 'form'
  readonly type: string
  readonly required: boolean
}

export interface CallAnswer {
  readonly status: string
  /** Null if there is no body. */
  readonly type: string | null
}

export interface Call {
  /** The anchor's id. */
  readonly id: string
  readonly methods: readonly string[]
  readonly path: string
  readonly access: 'anybody' | 'user' | 'cookie'
  readonly summary: string
  readonly fields: readonly CallField[]
  readonly answers: readonly CallAnswer[]
}

export interface Noun {
  readonly name: string
  readonly calls: readonly Call[]
}

type Json = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Keeps the document's order. Methods of a path that do the same are merged. */
export function outline(document: {
  readonly paths: Json
  readonly components?: unknown
}): readonly Noun[] {
  const named = objectOf(objectOf(document.components)['schemas'])
  const typeOf: TypeOf = (schema) => typeWith(schema, named, [])
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    callsOf(path, objectOf(item), typeOf),
  )
  const nouns = Map.groupBy(calls, (call) => call.path.split('/')[1] ?? '')
  return [...nouns].map(([name, group]) => ({ name, calls: group }))
}

function callsOf(path: string, item: Json, typeOf: TypeOf): readonly Call[] {
  const operations = Object.entries(item).map(([method, given]) => ({
    method: method.toUpperCase(),
    operation: objectOf(given),
  }))
  const bySummary = Map.groupBy(operations, ({ operation }) => textOf(operation['summary']))
  return [...bySummary].map(([summary, same]) => {
    const methods = same.map(({ method }) => method)
    const operation = same[0]?.operation ?? {}
    return {
      id: `${methods[0]}${path}`.replaceAll(/[^a-z0-9]+/gi, '-').replace(/-$/, ''),
      methods,
      path,
      access: accessOf(operation),
      summary,
      fields: [...parametersOf(operation, typeOf), ...bodyOf(operation, typeOf)],
      answers: answersOf(operation, typeOf),
    }
  })
}

function accessOf(operation: Json): Call['access'] {
  const ways = listOf(operation['security']).map((way) => Object.keys(objectOf(way))[0])
  if (ways.includes('cookie')) return 'cookie'
  return ways.includes(undefined) ? 'anybody' : 'user'
}

function parametersOf(operation: Json, typeOf: TypeOf): readonly CallField[] {
  return listOf(operation['parameters']).map((given) => {
    const parameter = objectOf(given)
    return {
      name: textOf(parameter['name']),
      place: parameter['in'] === 'path' ? 'path' : 'query',
      type: typeOf(parameter['schema']),
      required: parameter['required'] === true,
    }
  })
}

function bodyOf(operation: Json, typeOf: TypeOf): readonly CallField[] {
  const content = objectOf(objectOf(operation['requestBody'])['content'])
  const [kind] = Object.keys(content)
  if (kind === undefined) return []
  const schema = objectOf(objectOf(content[kind])['schema'])
  const required = listOf(schema['required'])
  return Object.entries(objectOf(schema['properties'])).map(([name, type]) => ({
    name,
    place: kind === 'application/json' ? 'json' : 'form',
    type: typeOf(type),
    required: required.includes(name),
  }))
}

/** Lists only successful answers, because all errors have the same format. */
function answersOf(operation: Json, typeOf: TypeOf): readonly CallAnswer[] {
  return Object.entries(objectOf(operation['responses']))
    .filter(([status]) => status.startsWith('2'))
    .map(([status, answer]) => {
      const content = objectOf(objectOf(answer)['content'])
      const [kind] = Object.keys(content)
      const schema = kind === undefined ? undefined : objectOf(content[kind])['schema']
      return { status, type: schema === undefined ? null : typeOf(schema) }
    })
}

/** Describes a JSON schema briefly: `{id: number, tags: [text], views?: number}`. */
type TypeOf = (schema: unknown) => string

/** `named` has the document's schemas, `inside` the enclosing names. A recursive schema shows as its name. */
function typeWith(given: unknown, named: Json, inside: readonly string[]): string {
  const schema = objectOf(given)
  const typeOf: TypeOf = (part) => typeWith(part, named, inside)
  const name = textOf(schema['$ref']).split('/').at(-1) ?? ''
  if (name !== '')
    return inside.includes(name) ? name : typeWith(named[name], named, [...inside, name])
  const values = listOf(schema['enum'])
  if (values.length > 0) return values.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const'])
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' | ')
  switch (schema['type']) {
    case 'array':
      return `[${typeOf(schema['items'])}]`
    case 'object':
      return membersOf(schema, typeOf)
    case 'string':
      return schema['format'] === 'binary' ? 'file' : 'text'
    case 'integer':
      return 'number'
    default:
      return textOf(schema['type']) || 'any'
  }
}

function membersOf(schema: Json, typeOf: TypeOf): string {
  const required = listOf(schema['required'])
  const members = Object.entries(objectOf(schema['properties'])).map(
    ([name, type]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(type)}`,
  )
  return members.length === 0 ? '{…}' : `{${members.join(', ')}}`
}
