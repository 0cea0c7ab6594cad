import { CommentNode, HTMLElement, parse, TextNode } from 'node-html-parser'
import PostalMime from 'postal-mime'

const limits = { bytes: 2_000_000, parts: 20, nesting: 5, characters: 200_000, elements: 20_000, depth: 200 }

/** A parsed email, as templates read it. `lines` are the texts of the HTML blocks, or the lines of the text part if there is no HTML. */
export type MailDocument = {
  subject: string
  fromAddress: string
  toAddresses: string[]
  date: Date | null
  lines: string[]
  /**
   * Values by label, from adjacent cells of a row, from `dt` and `dd`, and from a heading and the paragraph after it. Labels are in lower case, without a
   * colon.
   */
  labels: Map<string, string[]>
  root: HTMLElement | null
}

export class UnreadableMail extends Error {}

/** Parses an email. Throws `UnreadableMail` if it exceeds a limit: `maxBytes`, or the limits of parts, nesting and length. Nothing is rendered or fetched. */
export async function readDocument(raw: Uint8Array, maxBytes = limits.bytes): Promise<MailDocument> {
  if (raw.length > maxBytes) throw new UnreadableMail('too_large')
  const parts =
    Buffer.from(raw)
      .toString('latin1')
      .match(/^content-type:/gim)?.length ?? 0
  if (parts > limits.parts) throw new UnreadableMail('too_many_parts')
  const mail = await PostalMime.parse(raw, {
    maxNestingDepth: limits.nesting,
    maxHeadersSize: 256_000,
    forceRfc822Attachments: true,
  }).catch(() => {
    throw new UnreadableMail('not_a_mail')
  })
  const html = mail.html?.trim() ? mail.html : null
  if ((html ?? mail.text ?? '').length > limits.characters) throw new UnreadableMail('too_long')
  if (html) checkTags(html)
  const root = html ? parse(html, { comment: true }) : null
  if (root) checkDepth(root)
  const date = new Date(mail.date ?? '')
  return {
    subject: plain(mail.subject ?? ''),
    fromAddress: (mail.from?.address ?? '').toLowerCase(),
    toAddresses: (mail.to ?? []).flatMap((to) =>
      (to.group ?? [to]).map(({ address }) => (address ?? '').toLowerCase()),
    ),
    date: Number.isNaN(date.getTime()) ? null : date,
    lines: root ? blocksOf(root) : linesOf(mail.text ?? ''),
    labels: root ? labelsOf(root) : new Map(),
    root,
  }
}

/** Replaces line breaks, no-break spaces and repeated spaces with one space, and trims the text. */
export const plain = (text: string): string => text.replace(/[\s\u00a0]+/g, ' ').trim()

/** Returns the text of an element, or an empty string if there is no element. */
export const textOf = (element: HTMLElement | null | undefined): string => plain(element?.text ?? '')

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(plain)
    .filter((line) => line !== '' && !/^\[image: [^\]]*\]$/.test(line))

const blocks = new Set(
  'address article blockquote br dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li p section table tbody td th title tr ul'.split(
    ' ',
  ),
)
const hidden = new Set(['head', 'script', 'style', 'title'])

/** Returns the texts between block elements, in document order. */
function blocksOf(root: HTMLElement): string[] {
  const lines: string[] = []
  let line = ''
  const end = () => {
    const text = plain(line)
    if (text) lines.push(text)
    line = ''
  }
  // Uses an explicit stack instead of recursion, so that deep nesting cannot overflow the call stack.
  const stack: (HTMLElement['childNodes'][number] | null)[] = [root]
  while (stack.length > 0) {
    const node = stack.pop()
    if (!node) end()
    else if (node instanceof TextNode) line += node.text
    else if (node instanceof HTMLElement) {
      const tag = node.tagName?.toLowerCase() ?? ''
      if (hidden.has(tag)) continue
      const isBlock = blocks.has(tag)
      if (isBlock) end()
      if (isBlock) stack.push(null)
      for (let at = node.childNodes.length - 1; at >= 0; at--) stack.push(node.childNodes[at]!)
    }
  }
  end()
  return lines
}

/** Normalizes a label as templates name it: lower case, without the colon. */
export const labelOf = (text: string): string => plain(text).replace(/\s*:$/, '').toLowerCase()

function labelsOf(root: HTMLElement): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = (label: string, value: string) => {
    const key = labelOf(label)
    if (key) found.set(key, [...(found.get(key) ?? []), value])
  }
  for (const row of root.querySelectorAll('tr')) {
    const cells = row.childNodes.filter((node) => node instanceof HTMLElement)
    if (cells.length === 2) add(textOf(cells[0]), textOf(cells[1]))
  }
  for (const term of root.querySelectorAll('dt, h3')) {
    const next = term.nextElementSibling
    if (next && /^(DD|P)$/.test(next.tagName)) add(textOf(term), textOf(next))
  }
  return found
}

/** Returns the only value with one of these labels; null if there is none or more than one. */
export function labeledValue(mail: MailDocument, ...names: string[]): string | null {
  const values = names.flatMap((name) => mail.labels.get(name) ?? [])
  return values.length === 1 ? values[0]! : null
}

/** Returns the element after the HTML comment with this text; null if there is none. */
export function afterComment(root: HTMLElement, comment: string): HTMLElement | null {
  const stack: HTMLElement[] = [root]
  while (stack.length > 0) {
    const element = stack.pop()!
    const at = element.childNodes.findIndex((node) => node instanceof CommentNode && plain(node.rawText) === comment)
    const next = element.childNodes.slice(at + 1).find((node) => node instanceof HTMLElement)
    if (at >= 0) return next ?? null
    stack.push(...element.childNodes.filter((node) => node instanceof HTMLElement))
  }
  return null
}

const impliedEnd = /^(p|li|td|th|tr|dt|dd|option|tbody|thead|br|hr|img|input|link|meta|wbr|col|area|base)$/i

/** Refuses HTML with many unclosed elements or comments, because the parser would need quadratic time for it. */
function checkTags(html: string): void {
  const comments = html.split('<!--').length - html.split('-->').length
  let depth = 0
  let tags = 0
  let deepest = 0
  for (const [, closing, name = '', end] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*?(\/?)>/gi)) {
    tags++
    if (end || impliedEnd.test(name)) continue
    depth = closing ? Math.max(0, depth - 1) : depth + 1
    deepest = Math.max(deepest, depth)
  }
  if (comments > 10 || deepest > limits.depth || tags > limits.elements * 2) throw new UnreadableMail('too_deep')
}

/** Refuses documents that are nested so deeply that a selector could overflow the call stack. */
function checkDepth(root: HTMLElement): void {
  const stack: [HTMLElement, number][] = [[root, 0]]
  let elements = 0
  while (stack.length > 0) {
    const [element, depth] = stack.pop()!
    if (depth > limits.depth || ++elements > limits.elements) throw new UnreadableMail('too_deep')
    for (const child of element.childNodes) if (child instanceof HTMLElement) stack.push([child, depth + 1])
  }
}
