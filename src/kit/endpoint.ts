import type * as z from 'zod/mini'
import type { Needs } from './permissions.ts'
import type { Topic } from './topics.ts'

/** `watcher`: a member's session, or the token of one of the member's paired devices, which gives access to these endpoints only. */
export type Access = 'public' | 'member' | 'watcher' | 'admin'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** The rate limit class of a call, see `server/overload/rate-limit.ts`. */
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
  | 'ticket'
  | 'ticketPicture'
  | 'staffPicture'
  | 'selfCheck'
  | 'play'
  | 'seek'
  | 'playAlive'
  | 'watchProgress'
  | 'deviceCode'
  | 'devicePoll'
  | 'link'
  | 'linkGuide'
  | 'search'
  | 'changeSubscription'
  | 'adminWrite'
  | 'export'
  | 'adminReset'
  | 'write'
  | 'webhook'
  | 'apiKey'
  | 'apiKeyFailure'

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

type Flags = CommonFlags & (OpenAccess | AdminAccess)
type OpenAccess = { access: Exclude<Access, 'admin'>; needs?: undefined }
/** An admin endpoint without `needs` does not compile. */
type AdminAccess = { access: 'admin'; needs: Needs }

type CommonFlags = {
  /** The body is an array of one page; the total is in the X-Total-Count header. */
  paged?: boolean
  /** The client returns null for a 401 instead of throwing. */
  nullWhenSignedOut?: boolean
  /** The response is the same for everyone: browsers may cache it this long, and the server keeps it in its response cache. */
  cacheSeconds?: number
  /** The response is the same for all members: a browser may keep it this long, and revalidates it afterwards. */
  keepSeconds?: number
  /** Also allowed for an administrator who views the site as a customer. */
  openWhileViewing?: boolean
  /** The topics that the response shows. Open pages fetch it again when one of them changes, see `server/live/changes.ts`. */
  dependsOn?: readonly Topic[]
  limit?: RateClass
  /** The endpoint ends sessions or changes a role. Its transactions do not lock the caller's session, because that would deadlock. */
  endsSessions?: true
  /** The endpoint needs a logged-in person: it refuses API keys, whatever their scopes are. For admin endpoints. */
  sessionOnly?: true
  /** Also allowed while the user must change a password that an administrator has set. */
  openBeforePasswordChange?: boolean
  /**
   * The response is a file of this media type for download: the output schema is from `download.ts`, and pages link to the file.
   * Files of `image/*` and `text/css` are public, immutable and loaded by pages instead. `image/webp` is a private picture: pages load it, and no
   * cache stores it.
   */
  file?: 'application/pdf' | 'text/csv' | 'text/css' | 'image/*' | 'image/webp'
  /** The body is a file of this media type instead of JSON: a `Uint8Array`. The limits are in `server/http/upload-body.ts`. */
  upload?: 'image/*' | 'application/octet-stream' | 'application/json' | 'text/csv'
  /** The maximum size of an uploaded image in units of 1,048,576 bytes; 2 by default. */
  uploadMegabytes?: number
  /** The header with the signature of the body, for endpoints that other servers call and pages never do. The handler verifies the signature. */
  signedBy?: 'stripe-signature' | 'btcpay-sig'
  /**
   * Mail programs call the endpoint as well as pages (RFC 8058). The token in the query authorizes the request, so no origin is required, and no
   * body is read. A page has the same path.
   */
  calledByMailPrograms?: true
  /** The response is an HTML document that pages show in a sandboxed frame. */
  document?: true
}

type In<S> = S extends z.core.$ZodType ? z.input<S> : never
type Out<S> = S extends z.core.$ZodType ? z.output<S> : never
type Part<K extends string, S> = S extends z.core.$ZodType ? { [k in K]: In<S> } : unknown
type Parsed<K extends string, S> = S extends z.core.$ZodType ? { [k in K]: Out<S> } : unknown
/** Any endpoint, without its schema types. */
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

/** The input of a call, before parsing. */
export type Input<E> = E extends { params: infer P; query: infer Q; body: infer B }
  ? Part<'params', P> & Part<'query', Q> & Part<'body', B>
  : never
/** The parsed input of a handler. */
export type ParsedInput<E> = E extends { params: infer P; query: infer Q; body: infer B }
  ? Parsed<'params', P> & Parsed<'query', Q> & Parsed<'body', B>
  : never
/** `isMinimum`: `total` is a lower bound; the exact number is still being counted. */
export type Page<T> = { rows: T[]; total: number; isMinimum?: boolean }
/** The return value of a handler; paged endpoints return one page and the total. */
export type Result<E> = E extends { output: infer O; paged: true }
  ? Out<O> extends (infer T)[]
    ? Page<T>
    : never
  : E extends { output: infer O }
    ? Out<O>
    : never
/** The result of a call. */
export type Output<E> = E extends { nullWhenSignedOut: true } ? Result<E> | null : Result<E>

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
/** POST at the path of a page, outside `/api`. */
export const postToPage = endpointBuilder<'POST', `/${string}`>('POST')
export const put = endpointBuilder('PUT')
/** DELETE; `delete` is a reserved word. */
export const del = endpointBuilder('DELETE')
/** GET of a file at a path outside `/api`, because users see the path. */
export const getFile = endpointBuilder<'GET', `/${string}`>('GET')
