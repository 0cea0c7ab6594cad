// The worker thread that reads one source, so that parsing a large file does not block requests.
import '#server/known-modules.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { GuideFailure } from './guide-failure.ts'
import { type IngestJob, ingest } from './ingest.ts'
import type { WorkerResult } from './ingest-in-worker.ts'
import { FarFewerPrograms } from './merge.ts'

const result = await ingest(workerData as IngestJob).then(
  (ingested): WorkerResult => ({ ingested }),
  (error: Error): WorkerResult => {
    if (error instanceof GuideFailure) return { failure: error.code }
    if (error instanceof FarFewerPrograms) return { farFewer: { found: error.found, before: error.before } }
    return { error: error.message }
  },
)
parentPort?.postMessage(result)
