import { type Outcome, outcomes } from '#features/iptv/rules.ts'
import type { PanelConfig } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { JsonRows } from '#server/outbound/json-rows.ts'
import { Outbound, type OutboundAnswer, OutboundFailure } from '#server/outbound/outbound.ts'
import { categoryIn, type PlayerCategory, type PlayerStream, streamIn } from './channel-lists.ts'
import { type Guide, GuideTexts, guideIn } from './guide.ts'
import { parseJson } from './json-fields.ts'
import { verdictOf } from './login-answer.ts'

type Failed = Exclude<Outcome, 'ok'> | 'too_many'
/** A list, or why there is none: `message` is for people and holds nothing of what was asked or answered. */
export type PlayerResult<T> = { ok: true; told: T } | { ok: false; outcome: Failed; message: string }
type Credentials = { username: string; password: string }
type Options = { listMs?: number; texts?: GuideTexts }

/** What a line may watch, told by the player API of the operator's panel. Nothing is kept, and nothing is thrown for what a panel does. */
export class XtreamPlayer {
  readonly #outbound: Outbound
  readonly #credentials: Credentials
  readonly #neverExpires: readonly number[]
  readonly #listMs: number
  readonly #texts: GuideTexts

  constructor(
    { url, allowPrivate, userAgent, neverExpires }: PanelConfig,
    { username, password }: Credentials,
    options: Options = {},
  ) {
    this.#outbound = new Outbound({ base: url, allowPrivate, userAgent })
    this.#credentials = { username, password }
    this.#neverExpires = neverExpires
    this.#listMs = options.listMs ?? limits.player.listMs
    this.#texts = options.texts ?? new GuideTexts()
  }

  categories(): Promise<PlayerResult<PlayerCategory[]>> {
    return this.#list({ action: 'get_live_categories' }, categoryIn, {
      noun: 'categories',
      most: limits.player.mostCategories,
    })
  }

  /** All live streams; of one category where it is named. */
  streams(categoryId?: string): Promise<PlayerResult<PlayerStream[]>> {
    const query = { action: 'get_live_streams', ...(categoryId !== undefined && { category_id: categoryId }) }
    return this.#list(query, streamIn, { noun: 'channels', most: limits.player.mostChannels })
  }

  /** What is on now and next. Some panels give more than asked for. */
  shortGuide(streamId: string, limit = 4): Promise<PlayerResult<Guide>> {
    return this.#ask(
      { action: 'get_short_epg', stream_id: streamId, limit: String(limit) },
      (json) => guideIn(json, this.#texts),
      '{}',
    )
  }

  /** The guide with its past, as far as the panel tells it: what can be caught up on. */
  catchUpGuide(streamId: string): Promise<PlayerResult<Guide>> {
    return this.#ask(
      { action: 'get_simple_data_table', stream_id: streamId },
      (json) => guideIn(json, this.#texts),
      '{}',
    )
  }

  async #ask<T>(query: Record<string, string>, read: (json: unknown) => T | undefined, silence = ''): Promise<PlayerResult<T>> {
    try {
      const answer = await this.#outbound.send({ ...this.#call(query), bodyBytes: limits.player.guideBytes })
      const body = answer.body.trim() === '' ? silence : answer.body
      const told = answer.status < 300 ? read(parseJson(body)) : undefined
      return told === undefined ? this.#refused(answer) : { ok: true, told }
    } catch (error) {
      return failedBy(error)
    }
  }

  /** A list, read row by row while it arrives: the event loop never waits for a whole one. */
  async #list<T>(
    query: Record<string, string>,
    read: (row: Record<string, unknown>) => T | undefined,
    { noun, most }: { noun: string; most: number },
  ): Promise<PlayerResult<T[]>> {
    const told: T[] = []
    let rows = 0
    const list = new JsonRows({
      onRow: (row) => {
        const one = ++rows > most ? undefined : read(row)
        if (one !== undefined) told.push(one)
      },
    })
    try {
      const answer = await this.#outbound.read(
        { ...this.#call(query), bodyBytes: limits.player.listBytes },
        async (status, pieces) => {
          const text = new TextDecoder()
          let body = ''
          for await (const bytes of pieces) {
            const piece = text.decode(bytes, { stream: true })
            // What is no list says in its beginning what it is.
            if (body.length < limits.outbound.bodyBytes) body += piece
            else if (list.isOther || status >= 300) break
            if (status < 300) list.push(piece)
            if (rows > most) break
          }
          return { status, body }
        },
      )
      if (rows > most)
        return tooMany(`The panel lists more than ${count(most)} ${noun}. At most ${count(most)} can be read.`)
      return list.isDone || (answer.status < 300 && noList.has(answer.body.trim()))
        ? { ok: true, told }
        : this.#refused(answer)
    } catch (error) {
      if (error instanceof OutboundFailure && error.code === 'too_large')
        return tooMany(
          `The panel’s list of ${noun} is larger than ${limits.player.listBytes / 1024 / 1024} MB, which is the most that can be read.`,
        )
      return failedBy(error)
    }
  }

  #call(query: Record<string, string>) {
    return { file: 'player_api.php', query: { ...this.#credentials, ...query }, totalMs: this.#listMs }
  }

  /** A login answer is not a list: it says why there is none. */
  #refused(answer: OutboundAnswer): { ok: false; outcome: Failed; message: string } {
    const verdict = verdictOf(answer, { now: new Date().toISOString(), neverExpires: this.#neverExpires })
    return failed(verdict.outcome === 'ok' ? 'bad_response' : verdict.outcome)
  }
}

/** How panels write an empty list when they write none. */
const noList = new Set(['null', 'false'])
const count = (number: number): string => number.toLocaleString('en-US')
const tooMany = (message: string) => ({ ok: false as const, outcome: 'too_many' as const, message })
const failed = (outcome: Exclude<Failed, 'too_many'>) => ({
  ok: false as const,
  outcome,
  message: outcomes[outcome].message,
})

function failedBy(error: unknown) {
  if (error instanceof OutboundFailure)
    return failed(error.code === 'held' ? 'held' : error.code === 'too_large' ? 'bad_response' : 'unreachable')
  throw error
}
