import type { ServerResponse } from 'node:http'

/**
 * An answer whose text is known. It becomes a real Response when somebody reads it as one; on its way to a connection nobody does, and
 * the stream that a Response makes of a text to be read from it again would cost more than the rest of a short answer.
 */
class TextAnswer {
  readonly #text: string
  readonly #status: number
  readonly #headers: Headers
  #made: Response | undefined

  constructor(text: string, status: number, headers: Headers) {
    this.#text = text
    this.#status = status
    this.#headers = headers
  }

  get response(): Response {
    this.#made ??= new Response(this.#text, { status: this.#status, headers: this.#headers })
    return this.#made
  }

  get headers(): Headers {
    return this.#made?.headers ?? this.#headers
  }

  get status(): number {
    return this.#status
  }

  send(outgoing: ServerResponse): void {
    const headers: Record<string, string | string[]> = Object.fromEntries(this.headers)
    const cookies = this.headers.getSetCookie()
    if (cookies.length > 0) headers['set-cookie'] = cookies
    headers['content-length'] = String(Buffer.byteLength(this.#text))
    outgoing.writeHead(this.#status, headers).end(this.#text)
  }
}

for (const name of ['body', 'bodyUsed', 'ok', 'redirected', 'statusText', 'type', 'url'] as const)
  Object.defineProperty(TextAnswer.prototype, name, {
    get(this: TextAnswer) {
      return this.response[name]
    },
  })
for (const name of ['arrayBuffer', 'blob', 'bytes', 'clone', 'formData', 'json', 'text'] as const)
  Object.defineProperty(TextAnswer.prototype, name, {
    value(this: TextAnswer) {
      return this.response[name]()
    },
  })
Object.setPrototypeOf(TextAnswer.prototype, Response.prototype)

/** A Response of a text; `headers` become its own. */
export const textAnswer = (text: string, headers: Headers, status = 200): Response =>
  new TextAnswer(text, status, headers) as unknown as Response

/** Whether the answer was a text and is sent. */
export function sendText(answer: Response, outgoing: ServerResponse): boolean {
  if (!(answer instanceof TextAnswer)) return false
  answer.send(outgoing)
  return true
}
