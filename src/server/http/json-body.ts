import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'

const jsonType = /^application\/json(;\s*charset=utf-8)?$/i
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads the JSON body of a write and checks its size while reading. Throws 415 (media type), 413 (size), 400 (malformed, too deep, forbidden keys). */
export async function readJson(request: Request): Promise<unknown> {
  if (!jsonType.test(request.headers.get('content-type') ?? ''))
    throw new Refusal(415, 'unsupported_media_type', 'Please send JSON (content-type application/json)')
  const text = await readText(request)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal(400, 'malformed_json', 'The request is not valid JSON')
  }
  inspect(value, 0, { nodes: 0 })
  return value
}

async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.bodyBytes) tooLarge()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  try {
    // Node delivers exactly content-length bytes, so the body can be read without a stream.
    if (request.headers.has('content-length')) {
      const all = await request.arrayBuffer()
      if (all.byteLength > limits.bodyBytes) tooLarge()
      return decoder.decode(all)
    }
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > limits.bodyBytes) tooLarge()
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(400, 'malformed_json', 'The request is not valid JSON')
  }
}

function tooLarge(): never {
  throw new Refusal(413, 'too_large', 'The request is too large')
}

function inspect(value: unknown, depth: number, seen: { nodes: number }): void {
  if (typeof value !== 'object' || value === null) return
  if (depth >= limits.jsonDepth) throw new Refusal(400, 'too_deep', 'The request is nested too deeply')
  const entries = Object.entries(value)
  seen.nodes += entries.length
  if (seen.nodes > limits.jsonNodes || (!Array.isArray(value) && entries.length > limits.jsonKeys))
    throw new Refusal(400, 'too_many_keys', 'The request contains too many keys')
  for (const [key, child] of entries) {
    if (forbiddenKeys.has(key)) throw new Refusal(400, 'forbidden_key', 'The request contains a forbidden key')
    inspect(child, depth + 1, seen)
  }
}
