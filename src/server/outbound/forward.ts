import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { limits } from '../limits.ts'

export type ForwardedResponse = { status: number; headers: Record<string, string>; body: IncomingMessage }

const passedHeaders = ['content-type', 'cache-control', 'content-length', 'retry-after'] as const

/**
 * Forwards a GET to another process of this app on the same machine. Resolves with undefined if that process does not answer or has ended. `signal` closes the
 * connection.
 */
export async function forwardToProcess(
  port: number,
  path: string,
  signal: AbortSignal,
): Promise<ForwardedResponse | undefined> {
  try {
    const request = http.request({ host: '127.0.0.1', port, path, agent: false, signal, timeout: limits.relay.openMs })
    request.on('timeout', () => request.destroy())
    request.end()
    const [body] = (await once(request, 'response')) as [IncomingMessage]
    body.on('error', () => undefined)
    request.on('error', () => undefined)
    const headers: Record<string, string> = {}
    for (const name of passedHeaders) if (body.headers[name]) headers[name] = String(body.headers[name])
    return { status: body.statusCode ?? 502, headers, body }
  } catch {
    return undefined
  }
}
