/**
 * What the stand-in cannot imitate it refuses in a sentence: a test that relies on it should not pass by
 * silence.
 */
export const refusing = <T extends object>(name: string, has: T): T =>
  new Proxy(has, {
    get: (target, key) => {
      if (key in target || typeof key === 'symbol' || key === 'then' || key === 'toJSON') {
        const value = Reflect.get(target, key, target) as unknown
        // Private fields live on the object itself, not on its proxy.
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      }
      throw new Error(
        `The stand-in for Electron has no ${name}.${key}. Run this where Electron itself is ` +
          'installed, or add it to test/electron-stand-in.',
      )
    },
  })
