import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import * as settings from '#features/settings/server/service.ts'
import { limits } from '#server/limits.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import { loadReader, type ReaderConfig, type ReaderContext } from './config.ts'
import { MailboxFailure } from './failure.ts'
import {
  acquireMailbox,
  backOff,
  LeaseLost,
  markChecked,
  pauseMailbox,
  type ReaderState,
  releaseMailbox,
  renewMailbox,
} from './lease.ts'
import { openStored } from './open-stored.ts'
import { retryRefused } from './read-again.ts'
import { readNew, startAt } from './read-new.ts'

/** Call `wake` if the settings may have changed. `stop` waits until the email in progress is stored. */
export type MailboxReader = { wake: () => void; stop: () => Promise<void> }

/** Reads the configured mailbox while this process runs. Only one process reads at a time; the others regularly try to acquire the lease. */
export function startMailboxReader(context: ReaderContext): MailboxReader {
  const stopping = new AbortController()
  const events = new EventEmitter()
  const run = async () => {
    while (!stopping.signal.aborted) {
      await readWhilePossible(context, events, stopping.signal).catch((error: Error) =>
        context.log.error({ message: error.message }, 'the payment mailbox could not be read'),
      )
      await waitFor(events, limits.mailbox.takeoverMs, stopping.signal)
    }
  }
  const ended = run()
  return {
    wake: () => void events.emit('wake'),
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

/** Resolves at the event `wake`, after `ms`, or when the signal is aborted. */
async function waitFor(events: EventEmitter, ms: number, signal: AbortSignal): Promise<void> {
  const enough = new AbortController()
  const any = { signal: AbortSignal.any([signal, enough.signal]) }
  await Promise.race([once(events, 'wake', any), pause(ms, undefined, any)]).catch(() => undefined)
  enough.abort()
}

/** Acquires the lease if it is free, and reads the mailbox until the connection or the lease is lost, the settings change, or the process stops. */
async function readWhilePossible(context: ReaderContext, events: EventEmitter, signal: AbortSignal): Promise<void> {
  const { db, log } = context
  const { enabled } = await settings.read(db, 'mailbox')
  if (!enabled || (await isOutboundHeld())) return
  const holder = randomUUID()
  const state = await acquireMailbox(db, holder)
  if (!state) return
  try {
    const config = await loadReader(context).catch(() => {
      throw new MailboxFailure('sealed')
    })
    if (config) await session(context, config, holder, state, events, signal)
  } catch (error) {
    if (error instanceof LeaseLost) return
    if (!(error instanceof MailboxFailure)) throw error
    log.warn({ reason: error.code, message: error.message }, 'the payment mailbox cannot be read')
    if (error.code === 'password' || error.code === 'consent') await pauseMailbox(db, holder, error.message)
    else await backOff(db, holder, error.message)
  } finally {
    await releaseMailbox(db, holder).catch((error: Error) =>
      log.error({ message: error.message }, 'the payment mailbox was not released; its lease expires on its own'),
    )
  }
}

async function session(
  context: ReaderContext,
  config: ReaderConfig,
  holder: string,
  state: ReaderState,
  events: EventEmitter,
  signal: AbortSignal,
): Promise<void> {
  const { db, resolver } = context
  const open = await openStored(context, config.connection, config.credentials)
  const { client } = open
  const lost = new AbortController()
  const renewal = setInterval(() => {
    renewMailbox(db, holder).then(
      (kept) => !kept && lost.abort(),
      // The error is ignored: while the database is unavailable, nothing can be stored either.
      () => undefined,
    )
  }, limits.mailbox.renewMs)
  const until = AbortSignal.any([signal, lost.signal])
  const newEmails = new NewEmailSignal(client, events)
  try {
    const cursor = await startAt(context, config, holder, open, state)
    while (!until.aborted) {
      newEmails.begin()
      await readNew(context, config, holder, client, cursor, until)
      await retryRefused({ db, resolver, key: config.key })
      await markChecked(db, holder)
      await newEmails.wait(until)
      if (!isSameConfig(config, await loadReader(context))) return
    }
  } finally {
    clearInterval(renewal)
    newEmails.end()
    client.close()
  }
}

/** Leaves out the refresh token, because a mail service may replace it while the mailbox is read. */
const comparable = (config: ReaderConfig | null) =>
  JSON.stringify([config?.connection, config?.credentials && { ...config.credentials, refreshToken: '' }])
const isSameConfig = (before: ReaderConfig, now: ReaderConfig | null): boolean => comparable(before) === comparable(now)

/** Waits for the server to announce an email (IDLE), or for `pollMs` if it announces none. */
class NewEmailSignal {
  readonly #client: ImapFlow
  readonly #events: EventEmitter
  readonly #announce = () => {
    this.#isAnnounced = true
    this.#events.emit('wake')
  }
  #isAnnounced = false

  constructor(client: ImapFlow, events: EventEmitter) {
    this.#client = client
    this.#events = events
    client.on('exists', this.#announce)
    client.on('close', this.#announce)
  }

  /** Call it before the mailbox is checked, so that announcements during the check are not missed. */
  begin(): void {
    this.#isAnnounced = false
  }

  async wait(signal: AbortSignal): Promise<void> {
    if (this.#isAnnounced) return
    // IDLE ends with the next command. If the connection is lost, that command reports it.
    this.#client.idle().catch(() => undefined)
    await waitFor(this.#events, limits.mailbox.pollMs, signal)
  }

  end(): void {
    this.#client.off('exists', this.#announce)
    this.#client.off('close', this.#announce)
  }
}
