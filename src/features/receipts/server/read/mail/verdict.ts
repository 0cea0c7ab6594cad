/** Replaces each comment (including nested ones) and each quoted string with a space. */
function withoutCommentsAndQuotes(text: string): string {
  let plain = ''
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && depth > 0) at++
    else if (character === '"' && depth === 0) {
      while (++at < text.length && text[at] !== '"') if (text[at] === '\\') at++
      plain += ' '
    } else if (character === '(') {
      if (depth++ === 0) plain += ' '
    } else if (character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) plain += character
  }
  return plain
}

/**
 * Whether the topmost `Authentication-Results` header was written by the own mail server and says that the domain's signature and DMARC passed. Lower headers
 * prove nothing, because they may have been added before the mail server received the email.
 */
export function isVouchedFor(
  headers: { key: string; value: string }[],
  authservIds: string[],
  domain: string,
): boolean {
  const topmost = headers.find(({ key }) => key === 'authentication-results')
  if (!topmost) return false
  const [id = '', ...results] = withoutCommentsAndQuotes(topmost.value)
    .split(';')
    .map((part) => part.replace(/\s+/g, ' ').trim().toLowerCase())
  const own = authservIds.map((each) => each.toLowerCase())
  if (!own.includes(id.split(' ', 1)[0] ?? '')) return false
  const signed = results.some((result) => {
    const by = /\bheader\.(?:i=@?|d=)([\w.-]+)/.exec(result)?.[1]
    return /^dkim ?= ?pass( |$)/.test(result) && by === domain
  })
  const policy = results.filter((result) => /^dmarc ?=/.test(result))
  const from = /\bheader\.from=([\w.-]+)/.exec(policy[0] ?? '')?.[1] ?? ''
  const isAligned = from === domain || domain.endsWith(`.${from}`)
  return signed && policy.length === 1 && /^dmarc ?= ?pass( |$)/.test(policy[0]!) && isAligned
}
