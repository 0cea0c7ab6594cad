import type * as z from 'zod/mini'

export type Access = 'public' | 'member' | 'admin'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Which allowance of `server/rate-limit.ts` a call draws on. */
export type RateClass =
  | 'login'
  | 'register'
  | 'account'
  | 'recovery'
  | 'passkey'
  | 'inquiry'
  | 'createInvoice'
  | 'submitPayment'
  | 'iptv'
  | 'trial'
  | 'report'
  | 'changeSubscription'
  | 'adminWrite'
  | 'export'
  | 'adminReset'
  | 'write'

type Shape = z.core.$ZodType | undefined

export type Endpoint<
  M extends Method = Method,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  O extends z.core.$ZodType = z.core.$ZodType,
  F extends Flags = Flags,
> = {
  id: string
  method: M
  path: `/${string}`
  summary: string
  params: P
  query: Q
  body: B
  output: O
} & F

type Flags = {
  access: Access
  /** The body stays a plain array; the total travels in X-Total-Count (decisions, lists for admins). */
  paged?: boolean
  /** A 401 is an answer, not a failure: nobody is signed in. */
  nullWhenSignedOut?: boolean
  /** Same for every visitor: may be kept this long by browsers and as ready bytes by the server. */
  cacheSeconds?: number
  /** An administrator who looks at the site as a customer does may call it all the same. */
  openWhileViewing?: boolean
  limit?: RateClass
  /** It ends sessions or a role, and so holds none while it works: it would wait for itself. */
  endsSessions?: true
  /** Open to somebody whose password an administrator has set; everything else waits until they have chosen one of their own. */
  openBeforePasswordChange?: boolean
  /** The answer is a file of this media type, to be saved: its output is of `download.ts`, and pages link to it instead of calling it. `image/*` is shown, not saved, and never changes. */
  file?: 'application/pdf' | 'text/csv' | 'image/*'
  /** The answer is an HTML document that pages show in a frame; nothing of it runs. */
  document?: true
}

type In<S> = S extends z.core.$ZodType ? z.input<S> : never
type Out<S> = S extends z.core.$ZodType ? z.output<S> : never
type Part<K extends string, S> = S extends z.core.$ZodType ? { [k in K]: In<S> } : unknown
type Parsed<K extends string, S> = S extends z.core.$ZodType ? { [k in K]: Out<S> } : unknown
/** Any endpoint, its schemas forgotten. */
export type AnyEndpoint = {
  id: string
  method: Method
  path: `/${string}`
  summary: string
  params: Shape
  query: Shape
  body: Shape
  output: z.core.$ZodType
} & Flags

/** What a caller hands over. */
export type Input<E> = E extends { params: infer P; query: infer Q; body: infer B }
  ? Part<'params', P> & Part<'query', Q> & Part<'body', B>
  : never
/** What a handler receives. */
export type ParsedInput<E> = E extends { params: infer P; query: infer Q; body: infer B }
  ? Parsed<'params', P> & Parsed<'query', Q> & Parsed<'body', B>
  : never
/** `isMinimum`: there are at least `total` rows, and the exact number is on its way. */
export type Page<T> = { rows: T[]; total: number; isMinimum?: boolean }
/** What a handler returns; paged endpoints return one page and the total. */
export type Result<E> = E extends { output: infer O; paged: true }
  ? Out<O> extends (infer T)[]
    ? Page<T>
    : never
  : E extends { output: infer O }
    ? Out<O>
    : never
/** What a caller gets. */
export type Output<E> = E extends { nobodyIsNull: true } ? Result<E> | null : Result<E>

type Schemas<P extends Shape, Q extends Shape, B extends Shape, O extends z.core.$ZodType> = {
  summary: string
  params?: P
  query?: Q
  body?: B
  output: O
}

function endpointBuilder<M extends Method, Address extends `/${string}` = `/api/${string}`>(method: M) {
  return function endpoint<
    const F extends Flags,
    O extends z.core.$ZodType,
    P extends Shape = undefined,
    Q extends Shape = undefined,
    B extends Shape = undefined,
  >(path: Address, spec: Schemas<P, Q, B, O> & F): Endpoint<M, P, Q, B, O, F> {
    const { summary, params, query, body, output, ...flags } = spec
    return {
      id: `${method} ${path}`,
      method,
      path,
      summary,
      params,
      query,
      body,
      output,
      ...flags,
    } as unknown as Endpoint<M, P, Q, B, O, F>
  }
}
export const get = endpointBuilder('GET')
export const post = endpointBuilder('POST')
export const put = endpointBuilder('PUT')
/** Takes something away; `delete` is a word of the language. */
export const del = endpointBuilder('DELETE')
/** A file at an address people see, outside of `/api`. */
export const getFile = endpointBuilder<'GET', `/${string}`>('GET')
