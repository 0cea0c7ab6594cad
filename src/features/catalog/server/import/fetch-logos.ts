import type { Logger } from 'pino'
import { type EncodedImage, encodeImage } from '#features/images/server/encode-image.ts'
import { playerPanel } from '#features/iptv/server/xtream/player-address.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { Refusal } from '#server/errors.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { Outbound, OutboundFailure } from '#server/outbound/outbound.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import { CircuitBreaker, CircuitOpenError } from '#server/overload/circuit-breaker.ts'
import * as logos from './logo-store.ts'

type Context = { db: Db; config: Config; log: Pick<Logger, 'error'> }
type FetchOptions = {
  panelUrl: string | undefined
  allowPrivate: boolean
  totalMs?: number
  breakers?: Map<string, CircuitBreaker>
}
type FetchedLogo = EncodedImage | { failure: string }

const messages: Record<string, string> = {
  timeout: 'The download timed out.',
  too_large: 'The image is too large.',
  private_address: 'The server has a private address.',
}
const accept = 'image/webp, image/png, image/jpeg'

/** Fetches one logo and re-encodes it. Private addresses are refused except the panel's own; redirects are not followed. */
export async function fetchLogo(
  source: string,
  { panelUrl, allowPrivate, totalMs = limits.logos.totalMs, breakers = new Map() }: FetchOptions,
): Promise<FetchedLogo> {
  const url = URL.parse(source)
  if (!url) return { failure: 'The address of the logo is invalid.' }
  const outbound = new Outbound({
    base: url.origin,
    allowPrivate: allowPrivate && url.host === URL.parse(panelUrl ?? '')?.host,
    userAgent: 'Sauce',
    totalMs,
  })
  const breaker: CircuitBreaker = breakers.get(url.host) ?? new CircuitBreaker({ restMs: 600_000 })
  breakers.set(url.host, breaker)
  const call = {
    file: url.pathname.slice(1),
    query: Object.fromEntries(url.searchParams),
    headers: { accept },
    bodyBytes: limits.logos.bytes,
  }
  const answer = await breaker
    .run(() => outbound.fetch(call).catch(failureOnly), hasServerFailed)
    .catch(circuitOpenOnly)
  if (answer instanceof CircuitOpenError) return { failure: 'The server failed too often.' }
  if (answer instanceof OutboundFailure) return { failure: messages[answer.code] ?? 'The server cannot be reached.' }
  if (answer.status !== 200) return { failure: `The server answered with HTTP ${answer.status}.` }
  try {
    return (await encodeImage(answer.bytes, 'channel')).main
  } catch (error) {
    if (error instanceof Refusal) return { failure: error.message }
    throw error
  }
}

const hasServerFailed = (answer: object): boolean =>
  answer instanceof OutboundFailure && answer.code !== 'too_large' && answer.code !== 'private_address'
function failureOnly(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  throw error
}
function circuitOpenOnly(error: unknown): CircuitOpenError {
  if (error instanceof CircuitOpenError) return error
  throw error
}

/** Starts the worker that fetches queued logos, a few at a time. The worker runs when it is woken (`wake`) and once a minute. */
export function startLogoWorker({
  db,
  config,
  log,
}: Context): Omit<WorkerLoop, 'run'> & { jobs: { name: string; cron: string; run: () => Promise<number> }[] } {
  const round = async (signal: AbortSignal): Promise<number> => {
    if (await isOutboundHeld()) return 0
    const { url: panelUrl, allowPrivate = false } = playerPanel(config, await settings.read(db, 'provisioning')) ?? {}
    const breakers = new Map<string, CircuitBreaker>()
    for (let done = 0; ; ) {
      const claimed = signal.aborted ? [] : await logos.claimLogos(db, limits.logos.atOnce)
      if (claimed.length === 0) return done
      await Promise.all(
        claimed.map(async ({ channelId, source }) =>
          logos.storeLogo(db, channelId, await fetchLogo(source, { panelUrl, allowPrivate, breakers })),
        ),
      )
      done += claimed.length
      await logos.notifyLineupChanged(db)
      await changed(db, 'logo')
    }
  }
  const { run, ...worker } = startWorkerLoop({ log, failureMessage: 'logos could not be fetched', round })
  return { ...worker, jobs: [{ name: 'fetch-logos', cron: '* * * * *', run }] }
}
