import { type Outcome, outcomes } from '#features/iptv/rules.ts'
import { verdictOf } from '#features/iptv/server/xtream-answer.ts'
import type { PanelConfig } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { Outbound, OutboundFailure } from '#server/outbound.ts'
import { parsed } from '../panel/reading.ts'
import { categoriesIn, type PlayerCategory, type PlayerStream, streamsIn } from './channel-lists.ts'
import { type Guide, GuideTexts, guideIn } from './guide.ts'

type Failed = Exclude<Outcome, 'ok'>
/** A list, or why there is none: `message` is for people and holds nothing of what was asked or answered. */
export type Told<T> = { ok: true; told: T } | { ok: false; outcome: Failed; message: string }
type Credentials = { username: string; password: string }
type Options = { listMs?: number; texts?: GuideTexts }

/** What a line may watch, told by the player API of the operator's panel. Nothing is kept, and nothing is thrown for what a panel does. */
export class Player {
  readonly #outbound: Outbound
  readonly #credentials: Credentials
  readonly #neverExpires: readonly number[]
  readonly #listMs: number
  readonly #texts: GuideTexts

  constructor({ url, allowPrivate, userAgent, neverExpires }: PanelConfig, { username, password }: Credentials, options: Options = {}) {
    this.#outbound = new Outbound({ base: url, allowPrivate, userAgent })
    this.#credentials = { username, password }
    this.#neverExpires = neverExpires
    this.#listMs = options.listMs ?? limits.player.listMs
    this.#texts = options.texts ?? new GuideTexts()
  }

  categories(): Promise<Told<PlayerCategory[]>> {
    return this.#ask({ action: 'get_live_categories' }, categoriesIn)
  }

  /** All live streams; of one category where it is named. */
  streams(categoryId?: string): Promise<Told<PlayerStream[]>> {
    return this.#ask({ action: 'get_live_streams', ...(categoryId !== undefined && { category_id: categoryId }) }, streamsIn)
  }

  /** What is on now and next. Some panels give more than asked for. */
  shortGuide(streamId: string, limit = 4): Promise<Told<Guide>> {
    return this.#ask({ action: 'get_short_epg', stream_id: streamId, limit: String(limit) }, (json) => guideIn(json, this.#texts), '{}')
  }

  /** The guide with its past, as far as the panel tells it: what can be caught up on. */
  catchUpGuide(streamId: string): Promise<Told<Guide>> {
    return this.#ask({ action: 'get_simple_data_table', stream_id: streamId }, (json) => guideIn(json, this.#texts), '{}')
  }

  async #ask<T>(query: Record<string, string>, read: (json: unknown) => T | undefined, silence = ''): Promise<Told<T>> {
    const failed = (outcome: Failed): Told<T> => ({ ok: false, outcome, message: outcomes[outcome].message })
    try {
      const call = { file: 'player_api.php', query: { ...this.#credentials, ...query }, totalMs: this.#listMs, bodyBytes: limits.player.listBytes }
      const answer = await this.#outbound.send(call)
      const body = answer.body.trim() === '' ? silence : answer.body
      const told = answer.status < 300 ? read(parsed(body)) : undefined
      if (told !== undefined) return { ok: true, told }
      // A login answer is not a list: it says why there is none.
      const verdict = verdictOf(answer, { now: new Date().toISOString(), neverExpires: this.#neverExpires })
      return failed(verdict.outcome === 'ok' ? 'bad_response' : verdict.outcome)
    } catch (error) {
      if (error instanceof OutboundFailure) return failed(error.code === 'too_large' ? 'bad_response' : 'unreachable')
      throw error
    }
  }
}
