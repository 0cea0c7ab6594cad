import type { AnyEndpoint, Input, Output } from './endpoint.ts'

export type Issue = { path: string; message: string }
/** An error response of the API. `message` is the status code, a colon and the body; show `serverMessage` to users. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly serverMessage: string
  readonly issues: Issue[]
  constructor(status: number, text: string) {
    super(`${status}: ${text}`)
    const { message, code, issues } = bodyOf(text)
    this.status = status
    this.code = typeof code === 'string' ? code : 'unknown'
    this.serverMessage = typeof message === 'string' ? message : text
    this.issues = Array.isArray(issues) ? issues.filter(isIssue) : []
  }
}

/** Returns the server's message, or `fallback` if the connection failed or a proxy answered. */
export const serverMessageOr = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.code !== 'unknown' ? error.serverMessage : fallback

/** Returns the message to show for any failed call: the server's, or a general one if the connection failed or a proxy answered. */
export const messageOf = (error: unknown): string =>
  serverMessageOr(
    error,
    error instanceof TypeError
      ? 'The connection was lost. Please try again.'
      : 'Something went wrong. Please try again.',
  )

type Send = (url: string, init: RequestInit) => Response | Promise<Response>
export type Call = <E extends AnyEndpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal) => Promise<Output<E>>

/**
 * Creates the API client: browsers pass `fetch`, server rendering passes the app itself. Responses are not validated, because the server
 * has already parsed them with the same contract. Calls throw ApiError.
 */
export function caller(send: Send): Call {
  return async <E extends AnyEndpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal): Promise<Output<E>> => {
    const { params, query, body } = input as {
      params?: Record<string, unknown>
      query?: Record<string, unknown>
      body?: unknown
    }
    const search = query ? searchOf(query) : ''
    const response = await send(pathOf(endpoint, params) + search, {
      method: endpoint.method,
      credentials: 'include',
      signal,
      ...(endpoint.method !== 'GET' && {
        headers: { 'content-type': endpoint.upload ?? 'application/json' },
        body: endpoint.upload ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body ?? {}),
      }),
    })
    const text = await response.text()
    if (response.status === 401 && endpoint.nullWhenSignedOut) return null as Output<E>
    if (!response.ok) throw new ApiError(response.status, text || response.statusText)
    const value: unknown = text === '' ? undefined : JSON.parse(text)
    return (endpoint.paged ? { rows: value, ...countIn(response.headers) } : value) as Output<E>
  }
}

const countIn = (headers: Headers) => ({
  total: Number(headers.get('x-total-count')),
  ...(headers.get('x-total-is-minimum') && { isMinimum: true }),
})

/** Returns the path of an endpoint with its parameters filled in. */
export const pathOf = (endpoint: Pick<AnyEndpoint, 'path'>, params: Record<string, unknown> | undefined): string =>
  endpoint.path.replace(/:(\w+)/g, (_: string, key: string) => encodeURIComponent(String(params?.[key])))

/** Returns a query string that starts with a question mark and leaves out empty values; empty if no value is left. */
export function searchOf(query: Record<string, unknown>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)]))}`
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const isIssue = (value: unknown): value is Issue =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Issue).path === 'string' &&
  typeof (value as Issue).message === 'string'
