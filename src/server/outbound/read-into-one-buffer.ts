import type { OnReadOpts, Socket } from 'node:net'

/** As much as Node reads at once. */
const buffer = new Uint8Array(65_536)

/**
 * Options for `http.request` that let its connection read into one buffer that all connections share, instead of a new one for each piece. The parser of
 * Node copies the body out of it before the next read, as long as the socket passes data on at once. Data that the socket keeps are copied here.
 */
export const readIntoOneBuffer = {
  onread: {
    buffer,
    callback(this: Socket, bytes: number): boolean {
      const read = Buffer.from(buffer.buffer, 0, bytes)
      const isPassedOn = this.readableFlowing === true && this.readableLength === 0 && this.listenerCount('data') > 0
      return this.push(isPassedOn ? read : Buffer.from(read))
    },
  } satisfies OnReadOpts,
}
