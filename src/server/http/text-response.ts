import type { ServerResponse } from 'node:http'

/**
 * A Response whose body is a known string. It creates a real Response only when a property or body method that is not declared here is used. Sending it over a
 * connection and reading its text need no real Response. This avoids the stream of a real Response, which costs more than everything else in a short response.
 */
class TextResponse {
  readonly #text: string
  readonly #status: number
  readonly #headers: Headers
  #made: Response | undefined
  #isRead = false
  #defaults: Readonly<Record<string, string>> | undefined

  constructor(text: string, status: number, headers: Headers) {
    this.#text = text
    this.#status = status
    this.#headers = headers
  }

  get response(): Response {
    if (!this.#made) {
      this.#made = new Response(this.#text, { status: this.#status, headers: this.headers })
      if (this.#isRead) void this.#made.text()
    }
    return this.#made
  }

  async text(): Promise<string> {
    if (this.#made || this.#isRead) return this.response.text()
    this.#isRead = true
    return this.#text
  }

  get headers(): Headers {
    const headers = this.#made?.headers ?? this.#headers
    for (const [name, value] of Object.entries(this.#defaults ?? {})) if (!headers.has(name)) headers.set(name, value)
    this.#defaults = undefined
    return headers
  }

  /** Adds headers that the response does not have. They are added when the response is sent, which costs less than setting them. */
  addDefaults(defaults: Readonly<Record<string, string>>): void {
    this.#defaults = defaults
  }

  get status(): number {
    return this.#status
  }

  get ok(): boolean {
    return this.#status >= 200 && this.#status <= 299
  }

  send(outgoing: ServerResponse): void {
    const own = this.#made?.headers ?? this.#headers
    const headers: Record<string, string | string[]> = { ...this.#defaults, ...Object.fromEntries(own) }
    const cookies = own.getSetCookie()
    if (cookies.length > 0) headers['set-cookie'] = cookies
    headers['content-length'] = String(Buffer.byteLength(this.#text))
    outgoing.writeHead(this.#status, headers).end(this.#text)
  }
}

for (const name of ['body', 'bodyUsed', 'redirected', 'statusText', 'type', 'url'] as const)
  Object.defineProperty(TextResponse.prototype, name, {
    get(this: TextResponse) {
      return this.response[name]
    },
  })
for (const name of ['arrayBuffer', 'blob', 'bytes', 'clone', 'formData', 'json'] as const)
  Object.defineProperty(TextResponse.prototype, name, {
    value(this: TextResponse) {
      return this.response[name]()
    },
  })
Object.setPrototypeOf(TextResponse.prototype, Response.prototype)

/** Creates a Response from a string. Do not use `headers` afterwards. */
export const textResponse = (text: string, headers: Headers, status = 200): Response =>
  new TextResponse(text, status, headers) as unknown as Response

/** Adds headers that the response does not have. */
export function addDefaultHeaders(response: Response, defaults: Readonly<Record<string, string>>): void {
  if (response instanceof TextResponse) response.addDefaults(defaults)
  else
    for (const [name, value] of Object.entries(defaults))
      if (!response.headers.has(name)) response.headers.set(name, value)
}

/** Sends the response if it was created by `textResponse`. Returns whether it was. */
export function sendText(answer: Response, outgoing: ServerResponse): boolean {
  if (!(answer instanceof TextResponse)) return false
  answer.send(outgoing)
  return true
}
