export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp'
export type Picture = { type: PictureType; width: number; height: number }

/** Detects the type and the size of a picture from its bytes. Returns undefined for anything but PNG, JPEG and WebP with a size above zero. */
export function detectPicture(bytes: Buffer): Picture | undefined {
  const found = png(bytes) ?? webp(bytes) ?? jpeg(bytes)
  return found && found.width > 0 && found.height > 0 ? found : undefined
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
function png(bytes: Buffer): Picture | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngStart) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function webp(bytes: Buffer): Picture | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  const of = (width: number, height: number): Picture => ({ type: 'image/webp', width, height })
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return of(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    case 'VP8L':
      return of((bytes.readUInt32LE(21) & 0x3fff) + 1, ((bytes.readUInt32LE(21) >>> 14) & 0x3fff) + 1)
    case 'VP8 ':
      return of(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    default:
      return undefined
  }
}

const frames = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
function jpeg(bytes: Buffer): Picture | undefined {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff) at++
    else if (frames.has(marker))
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
