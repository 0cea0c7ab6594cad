// The worker thread that reads one source: parsing a large file does not delay the pages of the process.
import '#server/known-modules.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { GuideFailure } from './failure.ts'
import { type IngestJob, ingest } from './ingest.ts'
import { FarFewer } from './merge.ts'
import type { WorkerAnswer } from './run-worker.ts'

const answer = await ingest(workerData as IngestJob).then(
  (ingested): WorkerAnswer => ({ ingested }),
  (error: Error): WorkerAnswer => {
    if (error instanceof GuideFailure) return { failure: error.code }
    if (error instanceof FarFewer) return { farFewer: { found: error.found, before: error.before } }
    return { error: error.message }
  },
)
parentPort?.postMessage(answer)
