/**
 * Evaluates expressions without running the program: follows constants, imports and calls, with Kysely's real `sql`.
 * A value that is known only at run time is an Unknown. The caller evaluates a statement in several variants: each
 * takes another branch of an unknown condition, and another member of a union of literals.
 */
import { sql } from 'kysely'
import * as ts from 'typescript/unstable/ast'
import type { Types } from '#scripts/statements/types.ts'

type FunctionNode =
  | ts.ArrowFunction
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.MethodDeclaration
/** Arguments by parameter, from all enclosing calls. */
export type Scope = ReadonlyMap<ts.Node, unknown>

export class Unknown {
  readonly node: ts.Node
  constructor(node: ts.Node) {
    this.node = node
  }
}

export class Evaluator {
  readonly #types: Types
  readonly #variant: number

  constructor(types: Types, variant: number) {
    this.#types = types
    this.#variant = variant
  }

  evaluate(node: ts.Node, scope: Scope): unknown {
    return this.#literal(node, scope) ?? this.#expression(node, scope)
  }

  evaluateList(elements: readonly ts.Node[], scope: Scope): readonly unknown[] {
    return elements.flatMap((element) => {
      if (!ts.isSpreadElement(element)) return [this.evaluate(element, scope)]
      const spread = this.evaluate(element.expression, scope)
      return Array.isArray(spread) ? (spread as unknown[]) : this.#unknownList(element.expression)
    })
  }

  /** The scope in the body of a function that is called with these values. */
  bind(node: FunctionNode, scope: Scope, values: readonly unknown[]): Scope {
    const bound = new Map(scope)
    for (const [index, parameter] of node.parameters.entries()) {
      const { initializer } = parameter
      const isAbsent = values[index] === undefined && initializer
      bound.set(parameter, isAbsent ? this.evaluate(initializer, bound) : values[index])
    }
    return bound
  }

  #unknown(node: ts.Node): unknown {
    const literals = this.#types.literalsOf(node)
    return literals.length === 0 ? new Unknown(node) : literals[this.#variant % literals.length]
  }

  /** All literals if it is a list of such, otherwise a single unknown element. */
  #unknownList(node: ts.Node): readonly unknown[] {
    const literals = this.#types.literalsInList(node)
    return literals.length === 0 ? [new Unknown(node)] : literals
  }

  #isTrue(value: unknown): boolean {
    return value instanceof Unknown ? this.#variant % 2 === 0 : Boolean(value)
  }

  #isEqual(left: unknown, right: unknown): boolean {
    const isUnknown = left instanceof Unknown || right instanceof Unknown
    return isUnknown ? this.#variant % 2 === 0 : left === right
  }

  /** Returns undefined for other expressions. */
  #literal(node: ts.Node, scope: Scope): unknown {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
    if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''))
    if (node.kind === ts.SyntaxKind.TrueKeyword) return true
    if (node.kind === ts.SyntaxKind.FalseKeyword) return false
    if (ts.isArrayLiteralExpression(node)) return this.evaluateList(node.elements, scope)
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, scope)
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
      return this.#function(node, scope)
    const isFragment = ts.isTaggedTemplateExpression(node)
    const template = isFragment ? node.template : node
    if (isFragment && ts.isNoSubstitutionTemplateLiteral(template)) return sql.raw(template.text)
    if (!ts.isTemplateExpression(template)) return undefined
    const values = template.templateSpans.map(({ expression }) => this.evaluate(expression, scope))
    const texts = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
    if (isFragment) return sql(Object.assign(texts, { raw: texts }), ...values)
    if (values.some((value) => value instanceof Unknown)) return new Unknown(node)
    return String.raw({ raw: texts }, ...values)
  }

  #expression(node: ts.Node, scope: Scope): unknown {
    const value = (part: ts.Node) => this.evaluate(part, scope)
    if (node.kind === ts.SyntaxKind.NullKeyword) return null
    if (ts.isIdentifier(node)) return this.#identifier(node, scope)
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isAwaitExpression(node)
    )
      return value(node.expression)
    if (ts.isPropertyAccessExpression(node))
      return this.#property(value(node.expression), node.name.text, node)
    if (ts.isElementAccessExpression(node))
      return this.#property(value(node.expression), value(node.argumentExpression), node)
    if (ts.isConditionalExpression(node))
      return value(this.#isTrue(value(node.condition)) ? node.whenTrue : node.whenFalse)
    if (ts.isCallExpression(node)) return this.#call(node, scope)
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      return !this.#isTrue(value(node.operand))
    if (ts.isTypeOfExpression(node)) {
      const operand = value(node.expression)
      return operand instanceof Unknown ? operand : typeof operand
    }
    return ts.isBinaryExpression(node) ? this.#binary(node, value) : this.#unknown(node)
  }

  #binary(node: ts.BinaryExpression, value: (part: ts.Node) => unknown): unknown {
    const left = value(node.left)
    const right = () => value(node.right)
    switch (node.operatorToken.kind) {
      case ts.SyntaxKind.AmpersandAmpersandToken:
        return this.#isTrue(left) ? right() : left
      case ts.SyntaxKind.BarBarToken:
        return this.#isTrue(left) ? left : right()
      case ts.SyntaxKind.QuestionQuestionToken:
        return left ?? right()
      case ts.SyntaxKind.EqualsEqualsEqualsToken:
        return this.#isEqual(left, right())
      case ts.SyntaxKind.ExclamationEqualsEqualsToken:
        return !this.#isEqual(left, right())
      case ts.SyntaxKind.PlusToken: {
        const added = right()
        const isSum = typeof left === 'number' && typeof added === 'number'
        return isSum ? left + added : this.#unknown(node)
      }
      default:
        return this.#unknown(node)
    }
  }

  /** Properties are evaluated when they are read. */
  #object(node: ts.ObjectLiteralExpression, scope: Scope): unknown {
    const object = {}
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const part = this.evaluate(property.expression, scope)
        if (part instanceof Unknown) return new Unknown(node)
        Object.defineProperties(object, Object.getOwnPropertyDescriptors(part ?? {}))
        continue
      }
      const get = () => {
        if (ts.isMethodDeclaration(property)) return this.#function(property, scope)
        return ts.isPropertyAssignment(property)
          ? this.evaluate(property.initializer, scope)
          : this.#identifier(property.name, scope)
      }
      const name = property.name.getText().replaceAll(/^['"]|['"]$/g, '')
      Object.defineProperty(object, name, { get, enumerable: true, configurable: true })
    }
    return object
  }

  #property(owner: unknown, key: unknown, node: ts.Node): unknown {
    const isOptional = ts.isPropertyAccessExpression(node) && node.questionDotToken
    if (owner === undefined || owner === null) return isOptional ? undefined : this.#unknown(node)
    if (owner instanceof Unknown || key instanceof Unknown) return this.#unknown(node)
    return (owner as Record<string, unknown>)[key as string]
  }

  #identifier(node: ts.Node, scope: Scope): unknown {
    const name = node.getText()
    if (name === 'undefined') return undefined
    if (name === 'sql') return sql
    if (name === 'Object') return Object
    const declaration = this.#types.declarationOf(node)
    if (declaration === undefined) return new Unknown(node)
    if (ts.isFunctionDeclaration(declaration)) return this.#function(declaration, scope)
    return this.#declared(declaration, scope)
  }

  #declared(declaration: ts.Node, scope: Scope): unknown {
    const { name = declaration } = declaration as { name?: ts.Node }
    const value = scope.has(declaration)
      ? scope.get(declaration)
      : this.#initial(declaration, name, scope)
    // The type of the declaration doesn't depend on where it is narrowed.
    const chosen = value instanceof Unknown ? this.#unknown(name) : value
    return chosen instanceof Unknown ? value : chosen
  }

  #initial(declaration: ts.Node, name: ts.Node, scope: Scope): unknown {
    if (ts.isVariableDeclaration(declaration)) {
      const { initializer, parent } = declaration
      if (initializer) return this.evaluate(initializer, scope)
      const list =
        ts.isForOfStatement(parent.parent) && this.evaluate(parent.parent.expression, scope)
      return Array.isArray(list) ? list[this.#variant % list.length] : new Unknown(name)
    }
    if (!ts.isBindingElement(declaration) || declaration.dotDotDotToken) return new Unknown(name)
    const { parent: pattern, propertyName, initializer } = declaration
    const key = ts.isArrayBindingPattern(pattern)
      ? pattern.elements.indexOf(declaration)
      : (propertyName ?? name).getText()
    const value = this.#property(this.#declared(pattern.parent, scope), key, name)
    return value === undefined && initializer ? this.evaluate(initializer, scope) : value
  }

  #call(node: ts.CallExpression, scope: Scope): unknown {
    const { expression: called } = node
    const values = this.evaluateList(node.arguments, scope)
    let owner: unknown
    let method: unknown
    if (ts.isPropertyAccessExpression(called)) {
      const { text: name } = called.name
      if (name === 'execute') return new Unknown(node)
      owner = this.evaluate(called.expression, scope)
      if (owner instanceof Unknown && (name === 'map' || name === 'flatMap'))
        owner = this.#unknownList(called.expression)
      // Types of builders' long chains take the compiler seconds.
      if (owner instanceof Unknown) return new Unknown(node)
      const unknown = values.find((value) => value instanceof Unknown)
      if (unknown && name === 'lit') return sql.raw(this.#types.isText(unknown.node) ? "''" : '1')
      if (unknown && isBuiltIn(owner)) return this.#unknown(node)
      method = this.#property(owner, name, called)
    } else method = this.evaluate(called, scope)
    if (method === undefined && node.questionDotToken) return undefined
    if (typeof method !== 'function') return this.#unknown(node)
    const result: unknown = Reflect.apply(method, owner, values)
    return result instanceof Unknown ? this.#unknown(node) : result
  }

  #function(node: FunctionNode, scope: Scope): (...values: readonly unknown[]) => unknown {
    return (...values) => {
      const { body } = node
      if (body === undefined) return new Unknown(node)
      const inside = this.bind(node, scope, values)
      return ts.isBlock(body) ? this.#run(body.statements, inside) : this.evaluate(body, inside)
    }
  }

  /** Returns the value of the first `return` that is reached. */
  #run(statements: readonly ts.Statement[], scope: Scope): unknown {
    for (const statement of statements) {
      if (ts.isReturnStatement(statement))
        return statement.expression && this.evaluate(statement.expression, scope)
      const result = this.#run(this.#branchOf(statement, scope), scope)
      if (result !== undefined) return result
    }
    return undefined
  }

  /** The statements in a statement that are executed. */
  #branchOf(statement: ts.Statement, scope: Scope): readonly ts.Statement[] {
    if (ts.isBlock(statement)) return statement.statements
    if (ts.isIfStatement(statement)) {
      const isTrue = this.#isTrue(this.evaluate(statement.expression, scope))
      const branch = isTrue ? statement.thenStatement : statement.elseStatement
      return branch ? [branch] : []
    }
    if (!ts.isSwitchStatement(statement)) return []
    const value = this.evaluate(statement.expression, scope)
    const { clauses } = statement.caseBlock
    const start = clauses.findIndex(
      (clause) => ts.isDefaultClause(clause) || this.evaluate(clause.expression, scope) === value,
    )
    return start < 0 ? [] : clauses.slice(start).flatMap((clause) => [...clause.statements])
  }
}

const isBuiltIn = (owner: unknown) =>
  owner === sql || owner === Object || Array.isArray(owner) || typeof owner === 'string'
