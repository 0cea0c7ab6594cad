import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import { secure } from './headers.ts'

type Cookies = Pick<Config, 'secureCookies' | 'hsts'>

/** The bytes of an answer without a body that ends its connection, for what never became a request. It carries the headers of every answer. */
export function bareAnswer(status: number, config: Cookies, more: Record<string, string> = {}): string {
  const headers = new Headers({ connection: 'close', 'cache-control': 'no-store', 'content-length': '0', ...more })
  secure(headers, config)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${[...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const statusOf: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what breaks HTTP with the statuses that Node has for it, which would come without any of our headers. */
export function answerBroken(server: Server, config: Cookies): void {
  server.on(
    'clientError',
    (error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse | null }) => {
      // Into an answer that has begun nothing may be written; Node keeps the one under way there and tells of it nowhere else.
      if (socket.writable && !socket._httpMessage?.headersSent)
        socket.write(bareAnswer(statusOf[error.code ?? ''] ?? 400, config))
      socket.destroy(error)
    },
  )
  // An expectation that nobody knows.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.socket?.end(bareAnswer(417, config))
  })
}
