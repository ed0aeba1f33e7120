/** The TypeScript type to which node-postgres parses each PostgreSQL type. db/connect.ts sets int8 and date. */
const PARSED: Readonly<Record<string, string>> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  text: 'string',
  name: 'string',
  uuid: 'string',
  date: 'string',
  numeric: 'string',
  bytea: 'Buffer',
  timestamptz: 'Date',
  json: 'unknown',
  jsonb: 'unknown',
}

/** Returns undefined for types that we don't use. The names of arrays begin with `_`. */
export function parsedAs(type: string): string | undefined {
  if (!type.startsWith('_')) return PARSED[type]
  const element = PARSED[type.slice(1)]
  return element && `${element}[]`
}
