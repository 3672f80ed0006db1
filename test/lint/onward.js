/** What leads a person elsewhere; `onward` of renderer/state/place.svelte.ts gives one that may be late. */
const leading = new Set(['go', 'goTo', 'goToPlace', 'goToReader', 'leaveForPackage', 'leaveReader'])
const functions = ':matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression)'

/** Whether a function is called once a promise has settled. */
const isContinuation = ({ parent }) =>
  parent?.type === 'CallExpression' && ['then', 'catch', 'finally'].includes(parent.callee.property?.name)

/**
 * Refuses to lead a person elsewhere once something was waited for: they may have gone where they wanted
 * meanwhile, and would be called back.
 */
export const onward = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { late: 'Somebody may be elsewhere by now: go on by `onward`, called before what is awaited.' },
  },
  create: ({ report }) => {
    const waited = [false]
    const wait = () => (waited[waited.length - 1] = true)
    const refuseLate = (node) => {
      if (waited.at(-1)) report({ node, messageId: 'late' })
    }
    return {
      [functions]: (node) => void waited.push(isContinuation(node)),
      [`${functions}:exit`]: () => void waited.pop(),
      // What a call is given is waited for before the call.
      'AwaitExpression:exit': wait,
      'ForOfStatement[await=true]': wait,
      'CallExpression:exit': (node) => {
        if (leading.has(node.callee.name)) refuseLate(node)
      },
      'AssignmentExpression:exit': (node) => {
        if (node.left.object?.name === 'location' && node.left.property?.name === 'hash') refuseLate(node)
      },
    }
  },
}
