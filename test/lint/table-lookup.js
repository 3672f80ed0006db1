import ts from 'typescript'

/** An expression without what only says something of its type. */
const bare = (node) =>
  ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ChainExpression'].includes(node.type)
    ? bare(node.expression)
    : node

const bareInitializer = (node) =>
  node && (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
    ? bareInitializer(node.expression)
    : node

const isText = (type) =>
  type.isUnion()
    ? type.types.some(isText)
    : (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) !== 0

/**
 * Refuses to look a text up in a table that is an object literal: "constructor" is found in each, as what
 * every object has. A key whose values the types list cannot be that.
 */
export const tableLookup = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unsafe: 'Any text may be "constructor": look it up by `entryIn` (electron/common/records.ts).',
    },
  },
  create: ({ report, sourceCode }) => {
    const { program, esTreeNodeToTSNodeMap, getTypeAtLocation } = sourceCode.parserServices
    const checker = program.getTypeChecker()
    const isLiteral = (node) => {
      const found = checker.getSymbolAtLocation(esTreeNodeToTSNodeMap.get(node))
      const symbol = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
      // What was spread into another object has declarations, and none that it calls its own.
      const initializers = (symbol?.declarations ?? []).map(({ initializer }) => bareInitializer(initializer))
      return initializers.some((initializer) => initializer && ts.isObjectLiteralExpression(initializer))
    }
    const nameOf = (node) => (node.type === 'MemberExpression' && !node.computed ? node.property : node)
    return {
      'MemberExpression[computed=true]': (node) => {
        const { object, property, parent } = node
        if (parent.type === 'AssignmentExpression' && parent.left === node) return
        const table = nameOf(bare(object))
        if (table.type !== 'Identifier' || !isText(getTypeAtLocation(property))) return
        if (isLiteral(table)) report({ node, messageId: 'unsafe' })
      },
    }
  },
}
