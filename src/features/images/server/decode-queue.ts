import { busy } from '#server/errors.ts'
import { limits } from '#server/limits.ts'

const waiting: (() => void)[] = []
let running = 0

/** Runs `work` when one of the few slots of this process is free, which bounds the memory that decoding takes. Throws 503 when the queue is full. */
export async function inDecodeQueue<T>(work: () => Promise<T>): Promise<T> {
  if (running < limits.upload.atOnce) running++
  else if (waiting.length < limits.upload.queue) await new Promise<void>((resolve) => waiting.push(resolve))
  else throw busy()
  try {
    return await work()
  } finally {
    // The slot passes directly to the next waiting call.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
