/** Has PostgreSQL describe statements, and compares their columns with the types of their rows. */
import type { Connection, PoolClient } from 'pg'
import {
  SymbolFlags,
  TypeFlags,
  type Checker,
  type Symbol,
  type Type,
} from 'typescript/unstable/sync'
import { parsedAs } from '#scripts/statements/parsed.ts'
import { membersOf } from '#scripts/statements/types.ts'

interface Field {
  readonly name: string
  readonly dataTypeID: number
  /** 0 if the column isn't one of a table. */
  readonly tableID: number
  readonly columnID: number
}

export interface Column {
  readonly name: string
  readonly type: string
  /** True for a column of a table that may be null. */
  readonly isNullable: boolean
}

/** Sends Parse and Describe; executes nothing. */
class Description {
  readonly #text: string
  readonly #ended = Promise.withResolvers<readonly Field[]>()
  readonly fields = this.#ended.promise
  #fields: readonly Field[] = []

  constructor(text: string) {
    this.#text = text
  }

  submit(connection: Connection): void {
    connection.parse({ text: this.#text, name: '', types: [] }, true)
    connection.describe({ type: 'S' }, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#fields = fields
  }

  handleReadyForQuery(): void {
    this.#ended.resolve(this.#fields)
  }

  handleError(error: Error): void {
    this.#ended.reject(error)
  }
}

export type Describe = (text: string) => Promise<readonly Column[]>

export async function createDescribe(client: PoolClient): Promise<Describe> {
  const { rows: types } = await client.query<{ oid: number; name: string }>(
    'select oid, typname as name from pg_type',
  )
  const { rows: nullable } = await client.query<{ place: string }>(`
    select attrelid || ' ' || attnum as place from pg_attribute join pg_class on pg_class.oid = attrelid
    where attnum > 0 and not attnotnull and relkind = 'r'`)
  const names = new Map(types.map(({ oid, name }) => [oid, name]))
  const places = new Set(nullable.map(({ place }) => place))
  return async (text) => {
    const fields = await client.query(new Description(text)).fields
    return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: names.get(dataTypeID) ?? '',
      isNullable: places.has(`${tableID} ${columnID}`),
    }))
  }
}

interface Described {
  readonly text: string
  readonly columns: readonly Column[]
}

/** Says which properties of the row don't fit. */
export function compare(checker: Checker, row: Type, described: Described): readonly string[] {
  return membersOf(row)
    .flatMap((member) =>
      checker.getPropertiesOfType(checker.getBaseConstraintOfType(member) ?? member),
    )
    .map((property) => mistakeIn(checker, property, described))
    .filter((mistake) => mistake !== null)
}

/**
 * Nullability is compared only for columns of tables, unless the statement has `… is not null`. PostgreSQL doesn't
 * describe that of expressions and outer joins.
 */
function mistakeIn(
  checker: Checker,
  property: Symbol,
  { text, columns }: Described,
): string | null {
  const { name } = property
  const column = columns.find((each) => each.name === name)
  if (column === undefined)
    return property.flags & SymbolFlags.Optional ? null : `has no column ${name}`
  const wanted = membersOf(checker.getTypeOfSymbol(property)).map((each) => nameOf(checker, each))
  const given = parsedAs(column.type) ?? column.type
  const isFree = given === 'unknown' || wanted.includes('unknown')
  if (!isFree && !wanted.includes(given) && wanted.some((each) => each !== 'null'))
    return `returns ${name} as ${given} (${column.type}), not ${wanted.join(' | ')}`
  const mayBeNull = column.isNullable && !/\bis not null\b/.test(text)
  return mayBeNull && !wanted.includes('null') && !wanted.includes('unknown')
    ? `may return null as ${name}`
    : null
}

function nameOf(checker: Checker, type: Type): string {
  const { flags } = type
  if (flags & TypeFlags.StringLike) return 'string'
  if (flags & TypeFlags.NumberLike) return 'number'
  if (flags & TypeFlags.BooleanLike) return 'boolean'
  if (flags & (TypeFlags.Null | TypeFlags.Undefined)) return 'null'
  if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return 'unknown'
  if (checker.isArrayLikeType(type) && type.isTypeReference()) {
    const names = membersOf(checker.getTypeArguments(type)[0]).map((each) => nameOf(checker, each))
    return `${[...new Set(names)].filter((name) => name !== 'null').join(' | ')}[]`
  }
  return type.getSymbol()?.name ?? 'unknown'
}
