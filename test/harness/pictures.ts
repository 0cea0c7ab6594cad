import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Options = { width?: number; height?: number; color?: string }
/** A PNG file of one color. */
export const pngFile = ({ width = 64, height = 32, color = '#fc641e' }: Options = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: color } })
    .png()
    .toBuffer()

/** A JPEG file with the name of a camera and a place in its metadata. */
export const jpegFile = ({ width = 64, height = 32, color = '#0eb1b1' }: Options = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .jpeg()
    .withExif({ IFD0: { Model: 'CanaryCamera' }, IFD3: { GPSLatitudeRef: 'N' } })
    .toBuffer()

export const webpFile = ({ width = 64, height = 32, color = '#0eb1b1' }: Options = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .webp()
    .toBuffer()

/** Creates an animated WebP file with two frames. */
export async function animatedWebp(): Promise<Buffer> {
  const frames = await Promise.all(['#ff0000', '#00ff00'].map((color) => pngFile({ color })))
  return sharp(frames, { join: { animated: true } })
    .webp({ delay: [100, 100] })
    .toBuffer()
}

/** Creates a small PNG file that decompresses to `width` x `height` pixels of 4 bytes. */
export const bombPng = (width: number, height: number): Buffer =>
  pngOf(width, height, Buffer.alloc(height * (width * 4 + 1)))

/** Creates a PNG file whose header declares this size, but which has no pixels. */
export const emptyPng = (width: number, height: number): Buffer => pngOf(width, height, Buffer.alloc(0))

/** Returns the PNG file with an added chunk that declares an animation. */
export const asAnimated = (png: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), png.subarray(33)])

function pngOf(width: number, height: number, pixels: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
