import type { PanelConfig } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { JsonRows } from '#server/outbound/json-rows.ts'
import { Outbound, OutboundFailure, type OutboundResponse } from '#server/outbound/outbound.ts'
import { type Outcome, outcomes } from '../../rules.ts'
import { type PlayerCategory, type PlayerStream, parseCategory, parseStream } from './channel-lists.ts'
import { verdictOf } from './login-answer.ts'

type Failure = Exclude<Outcome, 'ok'> | 'too_many'
/** A list, or why it could not be read. `message` can be shown to users and contains nothing from the request or the response. */
export type PlayerResult<T> = { ok: true; value: T } | { ok: false; outcome: Failure; message: string }
type Credentials = { username: string; password: string }

/** A client for the Xtream player API, which lists the channels that a line may watch. Caches nothing and does not throw if the panel fails. */
export class XtreamPlayer {
  readonly #outbound: Outbound
  readonly #credentials: Credentials
  readonly #neverExpires: readonly number[]
  readonly #listMs: number

  /** `listMs` is the time limit of one list in milliseconds. */
  constructor(
    { url, allowPrivate, userAgent, neverExpires }: PanelConfig,
    { username, password }: Credentials,
    { listMs = limits.player.listMs }: { listMs?: number } = {},
  ) {
    this.#outbound = new Outbound({ base: url, allowPrivate, userAgent })
    this.#credentials = { username, password }
    this.#neverExpires = neverExpires
    this.#listMs = listMs
  }

  /** Lists the categories of live streams. */
  categories(): Promise<PlayerResult<PlayerCategory[]>> {
    return this.#list({ action: 'get_live_categories' }, parseCategory, {
      noun: 'categories',
      max: limits.player.maxCategories,
    })
  }

  /** Lists all live streams, or those of one category. */
  streams(categoryId?: string): Promise<PlayerResult<PlayerStream[]>> {
    const query = { action: 'get_live_streams', ...(categoryId !== undefined && { category_id: categoryId }) }
    return this.#list(query, parseStream, { noun: 'channels', max: limits.player.maxChannels })
  }

  /** Reads a list row by row while it arrives, so that a large list does not block the event loop. */
  async #list<T>(
    query: Record<string, string>,
    parse: (row: Record<string, unknown>) => T | undefined,
    { noun, max }: { noun: string; max: number },
  ): Promise<PlayerResult<T[]>> {
    const value: T[] = []
    let rows = 0
    const list = new JsonRows({
      onRow: (row) => {
        const parsed = ++rows > max ? undefined : parse(row)
        if (parsed !== undefined) value.push(parsed)
      },
    })
    try {
      const answer = await this.#outbound.read(
        {
          file: 'player_api.php',
          query: { ...this.#credentials, ...query },
          totalMs: this.#listMs,
          bodyBytes: limits.player.listBytes,
        },
        async (status, chunks) => {
          const decoder = new TextDecoder()
          let body = ''
          for await (const bytes of chunks) {
            const chunk = decoder.decode(bytes, { stream: true })
            // Keep the start of the body: if the response is not a list, the body contains the reason.
            if (body.length < limits.outbound.bodyBytes) body += chunk
            else if (list.isInvalid || status >= 300) break
            if (status < 300) list.push(chunk)
            if (rows > max) break
          }
          return { status, body }
        },
      )
      if (rows > max)
        return tooMany(
          `The panel lists more than ${formatCount(max)} ${noun}. At most ${formatCount(max)} can be read.`,
        )
      return list.isComplete || (answer.status < 300 && emptyBodies.has(answer.body.trim()))
        ? { ok: true, value }
        : this.#explain(answer)
    } catch (error) {
      if (error instanceof OutboundFailure && error.code === 'too_large')
        return tooMany(
          `The panel’s list of ${noun} is larger than ${limits.player.listBytes / 1024 / 1024} MB, the maximum that can be read.`,
        )
      return failureOf(error)
    }
  }

  /** Determines why there is no list. Panels that refuse send the login response instead of a list. */
  #explain(answer: OutboundResponse): { ok: false; outcome: Failure; message: string } {
    const verdict = verdictOf(answer, { now: new Date().toISOString(), neverExpires: this.#neverExpires })
    return failed(verdict.outcome === 'ok' ? 'bad_response' : verdict.outcome)
  }
}

/** What panels send for an empty list instead of `[]`. */
const emptyBodies = new Set(['null', 'false'])
const formatCount = (count: number): string => count.toLocaleString('en-US')
const tooMany = (message: string) => ({ ok: false as const, outcome: 'too_many' as const, message })
const failed = (outcome: Exclude<Failure, 'too_many'>) => ({
  ok: false as const,
  outcome,
  message: outcomes[outcome].message,
})

function failureOf(error: unknown) {
  if (error instanceof OutboundFailure)
    return failed(error.code === 'held' ? 'held' : error.code === 'too_large' ? 'bad_response' : 'unreachable')
  throw error
}
