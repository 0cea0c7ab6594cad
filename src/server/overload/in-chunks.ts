import { setImmediate as nextTurn } from 'node:timers/promises'

/** Calls `work` for each item in order, and yields to the event loop after every `size` items. */
export async function inChunks<T>(items: Iterable<T>, work: (item: T) => void, size = 1_000): Promise<void> {
  let count = 0
  for (const item of items) {
    work(item)
    if (++count % size === 0) await nextTurn()
  }
}
