/**
 * Puts one question for all who ask in the same turn of the event loop; nobody's answer is older than their question, and nothing is
 * remembered. What `ask` throws is thrown to all of them.
 */
export function together<Key, Answer>(ask: (keys: Key[]) => Promise<Map<Key, Answer>>): (key: Key) => Promise<Answer | undefined> {
  let open: { keys: Set<Key>; answers: Promise<Map<Key, Answer>> } | undefined
  const begin = () => {
    const keys = new Set<Key>()
    // Requests are read from their connections before immediates run: those that came together are all there by then.
    const turnIsOver = new Promise<void>((resolve) => setImmediate(resolve))
    const answers = turnIsOver.then(() => {
      open = undefined
      return ask([...keys])
    })
    return { keys, answers }
  }
  return async (key) => {
    open ??= begin()
    open.keys.add(key)
    return (await open.answers).get(key)
  }
}
