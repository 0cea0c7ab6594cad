/**
 * Whether an Accept-Encoding header takes an encoding (RFC 9110, 12.5.3): its own weight decides, else that of `*`. A weight of zero refuses it.
 */
export function takes(header: string | string[] | undefined, encoding: 'br' | 'gzip'): boolean {
  let anything = false
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== encoding && name !== '*') continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const isTaken = weight === undefined || Number(weight.slice(2)) > 0
    if (name === encoding) return isTaken
    anything = isTaken
  }
  return anything
}
