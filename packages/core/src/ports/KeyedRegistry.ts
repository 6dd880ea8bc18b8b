/** The one way things are registered by name: in order of first registration, replaced in place or refused. */

/** `replace` (the default) lets a later registration take the place of an earlier one; `error` throws. */
export interface RegistryOptions {
  readonly duplicate?: "replace" | "error" | undefined
}

export interface KeyedRegistry<T> {
  /**
   * Throws `Duplicate <label>: <shown>` when the key is taken and duplicates are errors. A key is shown as itself by
   * default.
   */
  readonly put: (key: string, value: T, shown?: string) => void
  readonly get: (key: string) => T | undefined
  /** Throws `Unknown <label>: <shown>` for a key that is not there. */
  readonly resolve: (key: string, shown?: string) => T
  /** A fresh list in order of first registration. */
  readonly list: () => ReadonlyArray<T>
}

/** An empty registry. `label` names its things in errors, such as `tool`. */
export const makeKeyedRegistry = <T>(label: string, options: RegistryOptions = {}): KeyedRegistry<T> => {
  const entries = new Map<string, T>()
  return {
    put: (key, value, shown = key) => {
      if (options.duplicate === "error" && entries.has(key)) throw new Error(`Duplicate ${label}: ${shown}`)
      entries.set(key, value)
    },
    get: (key) => entries.get(key),
    resolve: (key, shown = key) => {
      const value = entries.get(key)
      if (value === undefined) throw new Error(`Unknown ${label}: ${shown}`)
      return value
    },
    list: () => Array.from(entries.values())
  }
}
