import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import { type FailureCode, GuideFailure } from './guide-failure.ts'
import type { Ingested, IngestJob } from './ingest.ts'
import { FarFewerPrograms } from './merge.ts'

/** The only message that a worker sends. `error` is not shown to administrators. */
export type WorkerResult =
  | { ingested: Ingested | null }
  | { failure: FailureCode }
  | { farFewer: { found: number; before: number } }
  | { error: string }

/**
 * Runs `ingest` in a worker thread with limited memory. Ends the thread when `signal` is aborted; its connection closes and its transaction is rolled back.
 * Throws like `ingest`.
 */
export async function ingestInWorker(job: IngestJob, signal: AbortSignal): Promise<Ingested | null> {
  const worker = new Worker(new URL('./ingest-worker.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: limits.guide.heapMb, maxYoungGenerationSizeMb: 16 },
  })
  const results: WorkerResult[] = []
  worker.on('message', (result: WorkerResult) => void results.push(result))
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    await once(worker, 'exit')
    signal.throwIfAborted()
    const result = results[0] ?? { error: 'the worker thread ended without a result' }
    if ('ingested' in result) return result.ingested
    if ('failure' in result) throw new GuideFailure(result.failure)
    if ('farFewer' in result) throw new FarFewerPrograms(result.farFewer.found, result.farFewer.before)
    throw new Error(result.error)
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new GuideFailure('memory') : error
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
