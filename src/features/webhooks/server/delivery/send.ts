import { parseJson } from '#kit/parse-json.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import type { Config } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { Outbound, type OutboundCall, OutboundFailure } from '#server/outbound/outbound.ts'
import type { WebhookType } from '../../rules.ts'
import type { Target } from '../target.ts'
import { chatTextOf, type Notice, payloadOf } from './message.ts'
import { signatureOf } from './signature.ts'

export type Message = Notice & {
  type: WebhookType
  messageId: string
  target: Target
  secrets: string[]
  /** The time of this attempt in Unix seconds. */
  timestamp: number
}
/** The outcome of an attempt. `reason`: why it failed; null after success. `waitSeconds`: the waiting time that the receiver asked for. */
export type Outcome = { status: number | null; reason: string | null; waitSeconds: number }

/** Makes one attempt to send a message, and returns failures instead of throwing them. Any status from 200 to 299 is a success. Redirects are not followed. */
export async function send(config: Config, message: Message): Promise<Outcome> {
  const { base, call } = callOf(config, message)
  const isHttp = !base.toLowerCase().startsWith('https:')
  if (isHttp && !config.webhooksAllowPrivate) return { status: null, reason: 'no_tls', waitSeconds: 0 }
  const server = new Outbound({
    base,
    allowPrivate: config.webhooksAllowPrivate,
    userAgent: 'Sauce-Webhooks',
    totalMs: limits.webhook.totalMs,
  })
  try {
    return await server.read({ ...call, method: 'POST', bodyBytes: limits.webhook.bodyBytes }, async (status, body) => {
      if (status >= 200 && status < 300) return { status, reason: null, waitSeconds: 0 }
      const answer = message.type === 'signed' ? {} : await explanationOf(body, message.target)
      return { status, reason: answer.text || `HTTP ${status}`, waitSeconds: answer.waitSeconds ?? 0 }
    })
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { status: null, reason: error.code, waitSeconds: 0 }
  }
}

function callOf(config: Config, message: Message): { base: string; call: OutboundCall } {
  const { type, target, messageId, timestamp, secrets } = message
  if (type === 'telegram') {
    const json = {
      chat_id: target.chatId,
      text: chatTextOf(config, message),
      link_preview_options: { is_disabled: true },
    }
    return { base: config.telegramUrl, call: { file: `bot${target.token}/sendMessage`, json } }
  }
  if (type === 'discord') {
    // Suppresses link previews (flag 4) and all mentions.
    const json = { content: chatTextOf(config, message), allowed_mentions: { parse: [] }, flags: 4 }
    return callTo(target.address, { json })
  }
  const json = payloadOf(config, message)
  return callTo(target.address, {
    json,
    headers: {
      'webhook-id': messageId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(secrets, messageId, timestamp, JSON.stringify(json)),
    },
  })
}

/** Splits an address into base and file, because `Outbound` puts a slash between them. The called URL is exactly the address. */
function callTo(address: string, call: Pick<OutboundCall, 'json' | 'headers'>): { base: string; call: OutboundCall } {
  const url = new URL(address)
  const query = [...url.searchParams]
  const end = url.pathname.lastIndexOf('/')
  const file = url.pathname.slice(end + 1)
  url.pathname = url.pathname.slice(0, end)
  url.search = ''
  return { base: url.href, call: { ...call, file, query } }
}

type Answer = {
  description?: unknown
  message?: unknown
  retry_after?: unknown
  parameters?: { retry_after?: unknown }
}
/** Returns the explanation of a failure from Telegram or Discord, without credentials. */
async function explanationOf(
  body: AsyncIterable<Buffer>,
  { token }: Target,
): Promise<{ text?: string; waitSeconds?: number }> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  const answer = parseJson(Buffer.concat(chunks).toString()) as Answer | null | undefined
  if (typeof answer !== 'object' || answer === null) return {}
  const said = [answer.description, answer.message].find((each) => typeof each === 'string') ?? ''
  const text = withoutControlCharacters(token ? said.replaceAll(token, '…') : said).slice(0, 200)
  const wait = Number(answer.parameters?.retry_after ?? answer.retry_after ?? 0)
  return { text, waitSeconds: Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : 0 }
}
