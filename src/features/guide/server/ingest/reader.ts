import type pg from 'pg'
import type { Logger } from 'pino'
import { playerPanel } from '#features/iptv/server/xtream/player-address.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import { limits } from '#server/limits.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import { ownHostsOf } from '#server/outbound/stream-address.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { matchNewChannels } from '../match/match-new-channels.ts'
import { type ClaimedSource, claimSource, extendClaim, releaseSource } from './claim.ts'
import { GuideFailure } from './guide-failure.ts'
import type { Ingested } from './ingest.ts'
import { ingestInWorker } from './ingest-in-worker.ts'
import { FarFewerPrograms } from './merge.ts'
import type { FileSource } from './open-file.ts'

export type ReaderContext = {
  db: Db
  config: Config
  log: Pick<Logger, 'error' | 'info' | 'warn'>
  /** The settings with which the worker thread connects to the database. */
  connection: pg.ClientConfig
}

/** Starts the worker loop that reads due sources, one after another and in only one process at a time. The loop runs when it is woken and once a minute. */
export function startGuideReader(
  context: ReaderContext,
): WorkerLoop & { jobs: { name: string; cron: string; run: () => Promise<number> }[] } {
  const round = async (signal: AbortSignal): Promise<number> => {
    for (let done = 0; ; done++) {
      const source = signal.aborted ? undefined : await claimSource(context.db)
      if (!source) return done
      await readSource(context, source, signal)
    }
  }
  const loop = startWorkerLoop({ log: context.log, failureMessage: 'the guide could not be read', round })
  // The job only wakes the loop, because reading a file may take longer than a job is allowed to.
  const run = async () => {
    loop.wake()
    return 0
  }
  const runMatching = () => matchNewChannels(context.db, context.connection)
  return {
    ...loop,
    jobs: [
      { name: 'read-guide', cron: '* * * * *', run },
      { name: 'match-guide', cron: '*/10 * * * *', run: runMatching },
    ],
  }
}

async function readSource(context: ReaderContext, source: ClaimedSource, signal: AbortSignal): Promise<void> {
  const { db, log, connection } = context
  const lost = new AbortController()
  const renewal = setInterval(() => {
    extendClaim(db, source.id).then(
      (isClaimed) => !isClaimed && lost.abort(),
      // Ignored: if the database is unavailable, the read itself fails.
      () => undefined,
    )
  }, limits.guide.renewMs)
  try {
    const file = await fileOf(context, source)
    const job = { sourceId: source.id, zone: source.zone, connection, file }
    const ingested = await ingestInWorker(job, AbortSignal.any([signal, lost.signal]))
    await releaseSource(db, source, ingested ? readOutcome(ingested) : unchanged)
    log.info({ source: source.id, ...(ingested ? logFields(ingested) : { unchanged: true }) }, 'guide source read')
  } catch (error) {
    if (lost.signal.aborted) return
    if (signal.aborted) return releaseSource(db, source, { state: 'waiting', note: source.note, isRead: false })
    if (!(error instanceof GuideFailure || error instanceof FarFewerPrograms))
      log.error({ source: source.id, message: (error as Error).message }, 'a guide source could not be read')
    else log.warn({ source: source.id, message: error.message }, 'a guide source could not be read')
    await releaseSource(db, source, { state: 'failed', note: noteOf(error), isRead: false })
  } finally {
    clearInterval(renewal)
  }
}

async function fileOf({ db, config }: ReaderContext, source: ClaimedSource): Promise<FileSource> {
  if (source.upload) return { kind: 'upload', uploadId: source.upload.id, parts: source.upload.parts }
  if (source.sealed === null) throw new GuideFailure('upload')
  if (await isOutboundHeld()) throw new GuideFailure('held')
  const address = openAddress(config, source.id, source.sealed)
  const panel = playerPanel(config, await settings.read(db, 'provisioning'))
  const isPanel = panel !== undefined && URL.parse(panel.url)?.hostname === URL.parse(address)?.hostname
  const { etag, lastModified } = source.hasNoPrograms ? { etag: null, lastModified: null } : source
  return {
    kind: 'address',
    address,
    etag,
    lastModified,
    // Many panels reject unknown user agents.
    userAgent: isPanel ? panel.userAgent : 'Sauce',
    allowPrivate: isPanel && panel.allowPrivate,
    ownHosts: [...ownHostsOf(config)],
  }
}

/** Decrypts the address of a source. Throws GuideFailure if no key fits. */
function openAddress(config: Config, id: number, sealed: string): string {
  try {
    return open(secretKey(config), sealed, sealedColumns.guideAddress.context(id))
  } catch {
    throw new GuideFailure('sealed')
  }
}

const unchanged = { state: 'read', note: '', isRead: true } as const

const readOutcome = ({ programs, bytes, etag, lastModified, kept, isComplete }: Ingested) => ({
  state: 'read' as const,
  note: [
    ...(isComplete ? [] : ['The file ends early, so no programs were removed.']),
    ...(kept === 0 ? ['None of the channels in the file is matched to the lineup.'] : []),
  ].join(' '),
  isRead: true,
  programs,
  bytes,
  etag,
  lastModified,
})

const logFields = ({ bytes, programs, kept, written, removed, matched }: Ingested) => ({
  bytes,
  programs,
  kept,
  written,
  removed,
  matched,
})

const count = (number: number): string => number.toLocaleString('en-US')
function noteOf(error: unknown): string {
  if (error instanceof FarFewerPrograms)
    return `The file has ${count(error.found)} upcoming programs, less than half of the ${count(error.before)} that are stored. Nothing was changed.`
  return error instanceof GuideFailure ? error.message : new GuideFailure('broken').message
}
