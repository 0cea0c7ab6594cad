import type { OnReadOpts, Socket } from 'node:net'

/** The size that Node reads in one operation. */
const buffer = new Uint8Array(65_536)

/**
 * Options for `http.request` that let its connection read into one buffer that all connections share, instead of into a new buffer for each read. Node's HTTP
 * parser copies the body out of the buffer before the next read if the socket passes the data on immediately. Data that the socket retains is copied here.
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
