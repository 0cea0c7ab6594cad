/**
 * Whether an Accept-Encoding header accepts an encoding (RFC 9110, 12.5.3): the weight of the encoding decides, otherwise that of `*`. A
 * weight of zero rejects it.
 */
export function acceptsEncoding(header: string | string[] | undefined, encoding: 'br' | 'gzip'): boolean {
  let acceptsAny = false
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== encoding && name !== '*') continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const isAccepted = weight === undefined || Number(weight.slice(2)) > 0
    if (name === encoding) return isAccepted
    acceptsAny = isAccepted
  }
  return acceptsAny
}
