/**
 * Asks the compiler about the types of expressions. It caches the answers, because the compiler runs in another
 * process.
 */
import * as ts from 'typescript/unstable/ast'
import { SymbolFlags, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync'

export class Types {
  /** Follows imports. */
  readonly declarationOf: (node: ts.Node) => ts.Node | undefined
  /** True for an unknown that is a piece of SQL, not a value. */
  readonly isFragment: (node: ts.Node) => boolean
  readonly isText: (node: ts.Node) => boolean
  /** The values of a type that has only literals, null and undefined, otherwise none. */
  readonly literalsOf: (node: ts.Node) => readonly unknown[]
  /** The same for the elements of a list. */
  readonly literalsInList: (node: ts.Node) => readonly unknown[]

  constructor(checker: Checker) {
    const typeOf = (node: ts.Node) =>
      // The compiler fails on patterns.
      ts.isObjectBindingPattern(node) || ts.isArrayBindingPattern(node)
        ? undefined
        : checker.getTypeAtLocation(node)
    this.declarationOf = cached((node) => {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node)
      const isImport = symbol && symbol.flags & SymbolFlags.Alias
      return (isImport ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration?.resolve()
    })
    this.isFragment = cached((node) =>
      membersOf(typeOf(node)).some((member) =>
        /Builder|Expression/.test(member.getSymbol()?.name ?? ''),
      ),
    )
    this.isText = cached((node) =>
      membersOf(typeOf(node)).some(({ flags }) => flags & TypeFlags.StringLike),
    )
    this.literalsOf = cached((node) => literalsOf(typeOf(node)))
    this.literalsInList = cached((node) => {
      const type = typeOf(node)
      if (!type?.isTypeReference() || !checker.isArrayType(type)) return []
      const [element] = checker.getTypeArguments(type)
      return literalsOf(element && (checker.getBaseConstraintOfType(element) ?? element))
    })
  }
}

function cached<Answer>(ask: (node: ts.Node) => Answer): (node: ts.Node) => Answer {
  const answers = new Map<ts.Node, Answer>()
  return (node) => {
    const known = answers.get(node)
    if (known !== undefined || answers.has(node)) return known as Answer
    const answer = ask(node)
    answers.set(node, answer)
    return answer
  }
}

export function membersOf(type: Type | undefined): readonly Type[] {
  if (type === undefined) return []
  return type.isUnionType() ? type.getTypes() : [type]
}

function literalsOf(type: Type | undefined): readonly unknown[] {
  const members = membersOf(type)
  const isEmpty = ({ flags }: Type) => flags & (TypeFlags.Null | TypeFlags.Undefined)
  const isLiterals = members.every((member) => member.isLiteralType() || isEmpty(member))
  if (!isLiterals || members.every(isEmpty)) return []
  return members.map((member) => {
    if (member.isLiteralType()) return member.value
    return member.flags & TypeFlags.Null ? null : undefined
  })
}
