import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import { setCommonHeaders } from './headers.ts'

type HeaderConfig = Pick<Config, 'secureCookies' | 'hsts'>

/** Returns the bytes of a response without a body that closes the connection, for input that is not a valid request. Includes the common headers. */
export function bareResponse(status: number, config: HeaderConfig, more: Record<string, string> = {}): string {
  const headers = new Headers({ connection: 'close', 'cache-control': 'no-store', 'content-length': '0', ...more })
  setCommonHeaders(headers, config)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${[...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

const statusOf: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers malformed HTTP with the status codes that Node uses, but with our headers, which Node's own responses lack. */
export function handleMalformedRequests(server: Server, config: HeaderConfig): void {
  server.on(
    'clientError',
    (error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: ServerResponse | null }) => {
      // Nothing may be written into a response that has started. Node exposes the response only in `_httpMessage`.
      if (socket.writable && !socket._httpMessage?.headersSent)
        socket.write(bareResponse(statusOf[error.code ?? ''] ?? 400, config))
      socket.destroy(error)
    },
  )
  // Emitted for every Expect header other than 100-continue.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.socket?.end(bareResponse(417, config))
  })
}
