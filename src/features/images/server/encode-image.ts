import { createHash } from 'node:crypto'
import type { OutputInfo, Sharp, SharpConstructor } from 'sharp'
import { Refusal } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { detectPicture, type Picture, type PictureType } from '#server/outbound/detect-picture.ts'
import type { ImageUse } from '../admin-contract.ts'
import { inDecodeQueue } from './decode-queue.ts'

/** An encoded image that can be stored. `hash` is the SHA-256 of `bytes`. */
export type EncodedImage = { hash: string; type: PictureType; bytes: Buffer; width: number; height: number }

type Encodings<T> = { main: T; [variant: string]: T }

/** How an image is encoded for each use. `fitInside` shrinks it to fit a size in pixels, `square` centers it in a transparent square. */
const encodings: Record<ImageUse, Encodings<(image: Sharp) => Sharp>> = {
  channel: { main: (image) => fitInside(image, 400, 248).webp({ quality: 85 }) },
  guide: { main: (image) => fitInside(image, 960, 720).webp({ quality: 80 }) },
  // Mail clients and PDF files do not show WebP.
  logo: {
    main: (image) => fitInside(image, 480, 160).webp({ quality: 90, alphaQuality: 100 }),
    document: (image) => fitInside(image, 480, 160).png(),
  },
  icon: {
    main: (image) => square(image, 512),
    small: (image) => square(image, 32),
    touch: (image) => square(image, 180),
    medium: (image) => square(image, 192),
  },
}

/**
 * Decodes a PNG, JPEG or WebP file of one frame and encodes it again in each format of its use, without metadata. Data after the pixels is dropped. The
 * type is read from the bytes. Throws 415 or 400 with the reason if the file is not such an image, and 503 if too many images are waiting.
 */
export async function encodeImage(bytes: Buffer, use: ImageUse): Promise<Encodings<EncodedImage>> {
  refuseUnusable(bytes, ({ width, height }) =>
    Math.max(width, height) > limits.upload.pixels ? `at most ${limits.upload.pixels} pixels per side.` : undefined,
  )
  return decoding(bytes, limits.upload.pixels ** 2, async (image) => {
    const encoded: Record<string, EncodedImage> = {}
    for (const [name, encode] of Object.entries(encodings[use]))
      encoded[name] = await encodeForStorage(encode(image.clone()))
    return encoded as Encodings<EncodedImage>
  })
}

/**
 * Like `encodeImage`, but for a photo or screenshot of up to 40 megapixels: `main` has at most 2,000 pixels per side, `small` at most 320. Both are WebP.
 * Throws like `encodeImage`.
 */
export async function encodePhoto(bytes: Buffer): Promise<{ main: EncodedImage; small: EncodedImage }> {
  const { pixels, side, smallSide, storedBytes } = limits.ticketPicture
  refuseUnusable(bytes, ({ width, height }) =>
    width * height > pixels ? `at most ${pixels / 1_000_000} megapixels.` : undefined,
  )
  return decoding(bytes, pixels, async (image, sharp) => {
    const shrunk = await fitInside(image, side, side).png({ compressionLevel: 1 }).toBuffer()
    const encoded = (maxSide: number, quality: number) => fitInside(sharp(shrunk), maxSide, maxSide).webp({ quality })
    const fine = await encoded(side, 80).toBuffer({ resolveWithObject: true })
    const main =
      fine.data.length > storedBytes ? await encodeForStorage(encoded(side, 40), storedBytes) : toEncodedImage(fine)
    return { main, small: await encodeForStorage(encoded(smallSide, 75)) }
  })
}

/** Passes the still image in `bytes` to `encode`, which runs in the decode queue and has a time limit. Throws 400 if it cannot be decoded. */
function decoding<T>(
  bytes: Buffer,
  maxPixels: number,
  encode: (image: Sharp, sharp: SharpConstructor) => Promise<T>,
): Promise<T> {
  return inDecodeQueue(async () => {
    const sharp = await loadSharp()
    try {
      const image = sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, pages: 1, sequentialRead: true })
      if (((await image.metadata()).pages ?? 1) > 1) throw animatedRefusal()
      // Rotate by the orientation in the metadata, because the metadata is dropped.
      image.autoOrient().timeout({ seconds: limits.upload.decodeSeconds })
      return await encode(image, sharp)
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw new Refusal(400, 'damaged', 'The image is damaged and cannot be read. Please export it again.')
    }
  })
}

async function encodeForStorage(image: Sharp, maxBytes = limits.upload.storedBytes): Promise<EncodedImage> {
  const encoded = await image.toBuffer({ resolveWithObject: true })
  if (encoded.data.length > maxBytes)
    throw new Refusal(400, 'too_detailed', 'The image is too detailed. Please use a simpler one.')
  return toEncodedImage(encoded)
}

function toEncodedImage({ data, info }: { data: Buffer; info: OutputInfo }): EncodedImage {
  const hash = createHash('sha256').update(data).digest('hex')
  return { hash, type: `image/${info.format as 'png' | 'webp'}`, bytes: data, width: info.width, height: info.height }
}

const fitInside = (image: Sharp, width: number, height: number): Sharp =>
  image.resize(width, height, { fit: 'inside', withoutEnlargement: true })
const square = (image: Sharp, size: number): Sharp =>
  image.resize(size, size, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } }).png()

const animatedRefusal = () =>
  new Refusal(400, 'animated', 'Animated images are not supported. Please use a still image.')

/** Refuses files whose first bytes show that they are unusable, before anything is decoded. `limitFor` returns the limit that an image exceeds. */
function refuseUnusable(bytes: Buffer, limitFor: (picture: Picture) => string | undefined): void {
  const found = detectPicture(bytes)
  if (!found) {
    const other = unsupportedTypes.find(({ start }) => start.test(bytes.toString('latin1', 0, 512)))
    if (other) throw new Refusal(415, 'unsupported_type', `${other.name} Please use a PNG, JPEG or WebP image.`)
    throw new Refusal(400, 'not_an_image', 'The file is not an image. Please use a PNG, JPEG or WebP image.')
  }
  const limit = limitFor(found)
  if (limit) throw new Refusal(400, 'too_many_pixels', `The image is too large: ${limit}`)
  if (found.type === 'image/png' && isAnimatedPng(bytes)) throw animatedRefusal()
}

const unsupportedTypes = [
  { start: /<svg|^\s*<\?xml/i, name: 'SVG files are not supported, because they can contain scripts.' },
  { start: /^GIF8/, name: 'GIF files are not supported.' },
  { start: /^BM/, name: 'BMP files are not supported.' },
  { start: /^(II\*|MM\0\*)/, name: 'TIFF files are not supported.' },
  { start: /^.{4}ftyp(avi|hei|mif|msf)/s, name: 'AVIF and HEIC files are not supported.' },
  { start: /^%PDF/, name: 'PDF files are not supported.' },
]

/** Whether a PNG file is animated: it has an `acTL` chunk before its pixels. The decoder would ignore the animation. */
function isAnimatedPng(bytes: Buffer): boolean {
  const animation = bytes.indexOf('acTL')
  return animation > 0 && animation < bytes.indexOf('IDAT')
}

let loaded: Promise<SharpConstructor> | undefined
/** Loads the decoder when the first image is uploaded, so that processes without uploads do not need the memory. */
function loadSharp(): Promise<SharpConstructor> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
    return sharp
  })
  return loaded
}
