import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { errorAnswer } from '#server/http/error-response.ts'
import { commonHeaders } from '#server/http/headers.ts'
import { clientIp } from '#server/http/request.ts'
import type { AppContext } from '#server/http/route.ts'
import type { RelayContext } from './relay/play.ts'
import { answerStream, type StreamAnswer, type StreamRequest } from './stream-route.ts'

/** Answers a stream request that Hono handles. */
export async function serveStream(
  { method, url, headers, signal }: Request,
  context: RelayContext,
  options: Pick<StreamRequest, 'ip' | 'outgoing'>,
): Promise<Response> {
  const onLeave = (leave: () => void) => {
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  const header: StreamRequest['header'] = (name) => headers.get(name) ?? undefined
  const path = new URL(url).pathname
  const answer = await answerStream({ method, path, header, onLeave, ...options }, context)
  return new Response(webBody(answer.body) as string, { status: answer.status, headers: withLength(answer) })
}

function webBody(body: StreamAnswer['body']) {
  if (typeof body !== 'function') return body
  const through = new PassThrough()
  body(through)
  return Readable.toWeb(through)
}

/** Answers a request without Hono if it is a stream request. Returns whether it is. */
export type StreamListener = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

const streamPath = /^(\/stream\/[0-9a-f-]{36}\/[\w-]+\.\w{2,4})(?:\?|$)/

/**
 * Returns a listener that answers stream requests without Hono. The Hono route gives the same responses, but takes twice the processor time for a segment that
 * nginx sends. `onAnswer` is called with the status and the time until the response began, in milliseconds.
 */
export function streamListener(
  context: AppContext,
  onAnswer: (status: number, tookMs: number) => void = () => {},
): StreamListener {
  const { config, log } = context
  const common = commonHeaders(config)
  const respond = async (path: string, incoming: IncomingMessage, outgoing: ServerResponse) => {
    const began = performance.now()
    const forwardedFor = incoming.headers['x-forwarded-for'] as string | undefined
    const ip = clientIp(incoming.socket.remoteAddress, forwardedFor, config.trustProxy)
    const answer = await answerStream({ ...requestOf(incoming, outgoing, path), ip, outgoing }, context).catch(
      (error: Error) => errorAnswer(error, { requestId: randomUUID(), path }, log),
    )
    onAnswer(answer.status, performance.now() - began)
    send(answer, outgoing, common)
  }
  return (incoming, outgoing) => {
    const path = incoming.method === 'GET' ? streamPath.exec(incoming.url ?? '')?.[1] : undefined
    if (path === undefined) return false
    void respond(path, incoming, outgoing)
    return true
  }
}

/** Answers a stream request that another process on this machine forwarded. */
export async function respondToProcess(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: RelayContext,
): Promise<void> {
  const request = requestOf(incoming, outgoing, incoming.url ?? '')
  const failed: StreamAnswer = { status: 500, headers: {}, body: '' }
  send(await answerStream({ ...request, isForwarded: true }, context).catch(() => failed), outgoing)
}

const requestOf = (
  { method = '', headers }: IncomingMessage,
  outgoing: ServerResponse,
  path: string,
): Pick<StreamRequest, 'method' | 'path' | 'header' | 'onLeave'> => ({
  method,
  path,
  header: (name) => headers[name] as string | undefined,
  onLeave: (leave) => {
    if (outgoing.destroyed) leave()
    else outgoing.once('close', () => outgoing.writableFinished || leave())
  },
})

function send(answer: StreamAnswer, outgoing: ServerResponse, common: Record<string, string> = {}): void {
  const { status, body } = answer
  outgoing.writeHead(status, { ...common, ...withLength(answer) })
  if (typeof body === 'function') body(outgoing)
  else outgoing.end(body)
}

/** Returns the headers of an answer, with `Content-Length` if the length is known. */
const withLength = ({ headers, body }: StreamAnswer): Record<string, string> =>
  typeof body === 'function' ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
