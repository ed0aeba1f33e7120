/** Finds the raw statements of a program, with all texts that each may have. */
import type { Kysely, RawBuilder } from 'kysely'
import * as ts from 'typescript/unstable/ast'
import type { Checker, Type } from 'typescript/unstable/sync'
import { Evaluator, Unknown, type Scope } from '#scripts/statements/evaluate.ts'
import { Types } from '#scripts/statements/types.ts'

export interface Statement {
  readonly file: string
  readonly line: number
  /** Empty if a fragment of it is unknown before the program runs. */
  readonly texts: ReadonlySet<string>
  readonly row: Type | undefined
}

const VARIANTS = [0, 1, 2, 3, 4, 5]
/** Maximum number of calls to go back for the arguments of the function around a statement, and of such ways. */
const CALLS_BACK = 3
const MOST_WAYS = 50

export function findStatements(
  sources: readonly ts.SourceFile[],
  { checker, db }: { readonly checker: Checker; readonly db: Kysely<unknown> },
): Statement[] {
  const calls: ts.CallExpression[] = []
  const collect = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) calls.push(node)
    node.forEachChild(collect)
  }
  for (const source of sources) collect(source)
  const byName = Map.groupBy(calls, ({ expression }) =>
    ts.isIdentifier(expression) ? expression.text : '',
  )
  const types = new Types(checker)
  const evaluators = VARIANTS.map((variant) => new Evaluator(types, variant))

  const textOf = (statement: ts.Node, scope: Scope, evaluator: Evaluator): string | null => {
    const fragment = evaluator.evaluate(statement, scope)
    if (fragment instanceof Unknown) return null
    const { sql: text, parameters } = (fragment as RawBuilder<unknown>).compile(db)
    const isUnknown = (value: unknown) => value instanceof Unknown && types.isFragment(value.node)
    return parameters.some(isUnknown) ? null : text
  }
  /** The arguments of the function around a statement, wherever it is called. */
  const scopesOf = (node: ts.Node, evaluator: Evaluator, back = CALLS_BACK): readonly Scope[] => {
    let { parent: around } = node
    while (!ts.isFunctionDeclaration(around)) {
      if (ts.isSourceFile(around)) return [new Map()]
      around = around.parent
    }
    const called = around
    const callers = (byName.get(called.name?.text ?? '') ?? []).filter(
      ({ expression }) => types.declarationOf(expression) === called,
    )
    if (back === 0 || callers.length === 0) return [new Map()]
    return callers
      .flatMap((call) =>
        scopesOf(call, evaluator, back - 1).map((scope) =>
          evaluator.bind(called, scope, evaluator.evaluateList(call.arguments, scope)),
        ),
      )
      .slice(0, MOST_WAYS)
  }

  return calls.flatMap(({ expression: called }) => {
    if (!ts.isPropertyAccessExpression(called) || called.name.text !== 'execute') return []
    const { expression: statement } = called
    const isCall = ts.isCallExpression(statement) && ts.isIdentifier(statement.expression)
    if (!isCall && !ts.isTaggedTemplateExpression(statement)) return []
    const type = checker.getTypeAtLocation(statement)
    if (type?.getSymbol()?.name !== 'RawBuilder' || !type.isTypeReference()) return []
    const texts = evaluators.flatMap((evaluator) =>
      scopesOf(statement, evaluator).map((scope) => textOf(statement, scope, evaluator)),
    )
    const { fileName: file, text } = statement.getSourceFile()
    const line = text.slice(0, statement.getStart()).split('\n').length
    const [row] = checker.getTypeArguments(type)
    return [{ file, line, texts: new Set(texts.filter((each) => each !== null)), row }]
  })
}
