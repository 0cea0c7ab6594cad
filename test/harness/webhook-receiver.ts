// A server that receives notices by webhook, and verifies them as the Standard Webhooks specification describes.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; raw: string; json: Record<string, unknown> }
type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'silence'
export type WebhookReceiver = {
  url: string
  received: Received[]
  /** The responses to the next requests, in order; 204 when none is left. */
  answers: Answer[]
  close: () => Promise<void>
}

/** Starts a receiver on the loopback interface. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const answers: Answer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString()
    received.push({ path: request.url ?? '', headers: request.headers, raw, json: JSON.parse(raw || '{}') })
    const answer = answers.shift() ?? { status: 204 }
    if (answer === 'silence') return
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const toleranceSeconds = 300
/** Whether a notice was signed with this secret at most five minutes before or after `now`, as receivers check it. */
export function isSignedBy(secret: string, { headers, raw }: Received, now = Date.now()): boolean {
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${raw}`).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const [version, value = ''] = signature.split(',')
      const sent = Buffer.from(value, 'base64')
      return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected)
    })
}
