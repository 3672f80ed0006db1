/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-function-type, @typescript-eslint/no-non-null-assertion, @typescript-eslint/no-floating-promises -- moves values of every kind between two worlds */

/**
 * Moves values between the page's world and the preload's by Electron's contextBridge rules, over a DOM node
 * that the page never gets hold of. The same text runs on both sides; it must not import anything, and it
 * keeps its own references to whatever a page might replace.
 */
export function makeLink(port: EventTarget, mine: string, theirs: string) {
  const Custom = CustomEvent
  const dispatch = EventTarget.prototype.dispatchEvent
  const add = EventTarget.prototype.addEventListener
  const detailOf = Object.getOwnPropertyDescriptor(CustomEvent.prototype, 'detail')!.get!
  const { apply } = Reflect
  const { freeze, keys, getPrototypeOf, defineProperty } = Object
  const objectPrototype = Object.prototype
  const { isArray } = Array
  const P = Promise
  const then = Promise.prototype.then
  const E = Error
  const functions = new Map<number, Function>()
  const ids = new WeakMap<Function, number>()
  const pending = new Map<number, { ok: Function; no: Function }>()
  const proxies = new Map<number, Function>()
  let next = 1
  let result: any
  const post = (message: any) => apply(dispatch, port, [new Custom(theirs, { detail: message })])
  const set = (object: any, key: string, value: any) =>
    defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
  const isCloned = (value: any) =>
    value instanceof Date ||
    value instanceof Map ||
    value instanceof Set ||
    value instanceof RegExp ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value) ||
    value instanceof Blob

  function pack(value: any, depth = 0): any {
    if (depth > 1000)
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not ' +
          'supported.',
      )
    if (
      value === null ||
      value === undefined ||
      ['boolean', 'number', 'string', 'bigint'].includes(typeof value)
    )
      return { v: value }
    if (typeof value === 'symbol') throw new TypeError('An object could not be cloned.')
    if (typeof value === 'function') {
      let id = ids.get(value)
      if (id === undefined) {
        id = next++
        ids.set(value, id)
        functions.set(id, value)
      }
      return { f: id }
    }
    if (value instanceof P) {
      const id = next++
      apply(then, value, [(x: any) => settle(id, true, x), (x: any) => settle(id, false, x)])
      return { p: id }
    }
    if (value instanceof E) return { e: [String(value.message), String(value.stack)] }
    if (isArray(value)) {
      const list: any[] = []
      for (let i = 0; i < value.length; i++) list[i] = pack(value[i], depth + 1)
      return { a: list }
    }
    if (value instanceof Node)
      throw new TypeError('The stand-in does not pass DOM nodes over the context bridge.')
    const prototype = getPrototypeOf(value)
    if (prototype !== objectPrototype && prototype !== null && isCloned(value)) return { c: value }
    const object: any = {}
    for (const key of keys(value)) set(object, key, pack(value[key], depth + 1))
    return { o: object }
  }

  function unpack(message: any, frozen: boolean): any {
    if ('v' in message) return message.v
    if ('c' in message) return message.c
    if ('e' in message) {
      const error = new E(message.e[0])
      defineProperty(error, 'stack', { value: message.e[1], writable: true, configurable: true })
      return error
    }
    if ('a' in message) {
      const list: any[] = []
      for (let i = 0; i < message.a.length; i++) list[i] = unpack(message.a[i], frozen)
      return frozen ? freeze(list) : list
    }
    if ('o' in message) {
      const object: any = {}
      for (const key of keys(message.o)) set(object, key, unpack(message.o[key], frozen))
      return frozen ? freeze(object) : object
    }
    if ('p' in message) return new P((ok, no) => pending.set(message.p, { ok, no }))
    let proxy = proxies.get(message.f)
    if (!proxy) {
      const id = message.f
      proxy = (...args: any[]) => call(id, args)
      proxies.set(id, proxy)
    }
    return proxy
  }

  function call(id: number, args: any[]): any {
    const packed: any[] = []
    for (let i = 0; i < args.length; i++) packed[i] = pack(args[i])
    post({ call: id, args: packed })
    // dispatchEvent is synchronous, so the answer is here already.
    const answer = result
    result = undefined
    if (!answer) throw new E('context bridge: the other world is gone')
    if (answer.threw) throw unpack(answer.threw, false)
    return unpack(answer.ok, false)
  }

  const settle = (id: number, ok: boolean, value: any) => {
    let packed: any
    let isGood = ok
    try {
      packed = pack(value)
    } catch (error) {
      isGood = false
      packed = pack(error)
    }
    post({ settle: id, ok: isGood, value: packed })
  }

  const link = {
    onExpose: (_key: string, _api: any): void => {},
    expose(key: string, api: any) {
      post({ expose: key, api: pack(api) })
      const answer = result
      result = undefined
      if (answer?.threw) throw unpack(answer.threw, false)
    },
  }

  const answerTo = (message: any): any => {
    try {
      if ('expose' in message) {
        link.onExpose(message.expose, unpack(message.api, true))
        return { ok: { v: undefined } }
      }
      const args: any[] = []
      for (let i = 0; i < message.args.length; i++) args[i] = unpack(message.args[i], false)
      return { ok: pack(apply(functions.get(message.call)!, undefined, args)) }
    } catch (error) {
      return { threw: pack(error instanceof E ? error : new E(String(error))) }
    }
  }

  apply(add, port, [
    mine,
    (event: Event) => {
      const message: any = apply(detailOf, event, [])
      if ('ret' in message) result = message.ret
      else if ('settle' in message) {
        const waiting = pending.get(message.settle)
        pending.delete(message.settle)
        if (waiting) (message.ok ? waiting.ok : waiting.no)(unpack(message.value, false))
      } else post({ ret: answerTo(message) })
    },
  ])
  return link
}
