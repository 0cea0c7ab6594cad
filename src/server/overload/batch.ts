/**
 * Returns a function that collects the keys requested from the same `source` (a database) within one event-loop turn and loads them with one call of `load`.
 * Nothing is cached: every result is loaded after it was requested. If `load` throws, every caller of the batch gets the error.
 */
export function batch<Source extends object, Key, Value>(
  load: (source: Source, keys: Key[]) => Promise<Map<Key, Value>>,
): (source: Source, key: Key) => Promise<Value | undefined> {
  const open = new WeakMap<Source, { keys: Set<Key>; values: Promise<Map<Key, Value>> }>()
  const startBatch = (source: Source) => {
    const keys = new Set<Key>()
    // Node reads from all ready connections before it runs immediates, so requests that arrived together share a batch.
    const endOfTurn = new Promise<void>((resolve) => setImmediate(resolve))
    const values = endOfTurn.then(() => {
      open.delete(source)
      return load(source, [...keys])
    })
    const current = { keys, values }
    open.set(source, current)
    return current
  }
  return async (source, key) => {
    const current = open.get(source) ?? startBatch(source)
    current.keys.add(key)
    return (await current.values).get(key)
  }
}
