import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import { type FailureCode, GuideFailure } from './failure.ts'
import type { Ingested, IngestJob } from './ingest.ts'
import { FarFewer } from './merge.ts'

/** The only message of a worker. `error` is not shown to administrators. */
export type WorkerAnswer =
  | { ingested: Ingested | null }
  | { failure: FailureCode }
  | { farFewer: { found: number; before: number } }
  | { error: string }

/**
 * Runs `ingest` in a worker thread with limited memory. Ends the thread when `signal` is aborted; its connection closes and its transaction is rolled back.
 * Throws like `ingest`.
 */
export async function ingestInWorker(job: IngestJob, signal: AbortSignal): Promise<Ingested | null> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: limits.guide.heapMb, maxYoungGenerationSizeMb: 16 },
  })
  const answers: WorkerAnswer[] = []
  worker.on('message', (answer: WorkerAnswer) => void answers.push(answer))
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    await once(worker, 'exit')
    signal.throwIfAborted()
    const answer = answers[0] ?? { error: 'the worker thread ended' }
    if ('ingested' in answer) return answer.ingested
    if ('failure' in answer) throw new GuideFailure(answer.failure)
    if ('farFewer' in answer) throw new FarFewer(answer.farFewer.found, answer.farFewer.before)
    throw new Error(answer.error)
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new GuideFailure('memory') : error
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
