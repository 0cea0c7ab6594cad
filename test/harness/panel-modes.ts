import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** How a panel answers one request. */
export type Mode = (response: ServerResponse, canary: string) => unknown

export const json = (body: object | string, status = 200): Mode => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}
export const file = (bytes: Buffer, type: string): Mode => {
  return (response) => response.writeHead(200, { 'content-type': type }).end(bytes)
}
export const html = (status: number): Mode => {
  return (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html><body>Sorry</body></html>')
}
/** An endless body. */
const endless: Mode = (response) => {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more)
  more()
}
// Built once in advance from many parts: compressing it takes longer than some time limits.
const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(1024 * 1024, ' '))))
const gzipBomb: Mode = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
}
const byteASecond: Mode = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  const timer = setInterval(() => response.write(' '), 1_000)
  response.on('close', () => clearInterval(timer))
}
const resetMidBody: Mode = (response) => {
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    .write('{"user_info":{"auth":1,"status":"Active"')
  setTimeout(() => response.socket?.resetAndDestroy(), 20)
}

/** The faults that a panel can show for any request. */
export const faults = {
  failing: html(500),
  html: html(200),
  badjson: json('{"user_info":{"auth":1'),
  empty: json(''),
  endless,
  bomb: gzipBomb,
  slow: byteASecond,
  reset: resetMidBody,
  silent: () => undefined,
  redirect: (response, canary) => response.writeHead(302, { location: canary }).end(),
} satisfies Record<string, Mode>
export type Fault = keyof typeof faults
