/**
 * Puts one question for all who ask the same `source` (a database) in the same turn of the event loop; nobody's answer is older than
 * their question, and nothing is remembered. What `ask` throws is thrown to all of them.
 */
export function batch<Source extends object, Key, Answer>(
  ask: (source: Source, keys: Key[]) => Promise<Map<Key, Answer>>,
): (source: Source, key: Key) => Promise<Answer | undefined> {
  const open = new WeakMap<Source, { keys: Set<Key>; answers: Promise<Map<Key, Answer>> }>()
  const begin = (source: Source) => {
    const keys = new Set<Key>()
    // Requests are read from their connections before immediates run: those that came together are all there by then.
    const turnIsOver = new Promise<void>((resolve) => setImmediate(resolve))
    const answers = turnIsOver.then(() => {
      open.delete(source)
      return ask(source, [...keys])
    })
    const question = { keys, answers }
    open.set(source, question)
    return question
  }
  return async (source, key) => {
    const question = open.get(source) ?? begin(source)
    question.keys.add(key)
    return (await question.answers).get(key)
  }
}
