/** Reads the calls of the API from its description. */
import type { TestApp } from '#server/testing/app.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly const?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Operation {
  readonly parameters?: DescribedCall['parameters']
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

type Fields = Readonly<Record<string, Schema>>

export interface DescribedCall {
  readonly method: string
  /** Relative to /api. */
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly schema: Schema
  }[]
  /** Null if the call takes no such body. */
  readonly json: Fields | null
  readonly form: Fields | null
}

export async function describeCalls({ call }: Pick<TestApp, 'call'>): Promise<DescribedCall[]> {
  const { body } = await call<{ paths: Record<string, Record<string, Operation>> }>(
    'GET',
    '/openapi.json',
  )
  return Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => {
      const fieldsOf = (type: string) => {
        const content = requestBody?.content[type]
        return content === undefined ? null : (content.schema.properties ?? {})
      }
      return {
        method: method.toUpperCase(),
        path,
        parameters,
        json: fieldsOf('application/json'),
        form: fieldsOf('multipart/form-data'),
      }
    }),
  )
}
