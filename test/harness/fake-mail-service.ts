import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A mail service with OAuth 2.0: consents, tokens, and the check of access tokens for an IMAP server. */
export type FakeMailService = {
  authorizeUrl: string
  exchangeUrl: string
  introspectionUrl: string
  clientId: string
  clientSecret: string
  /** Simulates that the owner of the mailbox consents on the page `address`. Returns the code and the state that the service sends back. */
  consent: (address: string) => { code: string; state: string }
  /** The grant types of all token requests so far. */
  requests: string[]
  /** Revokes all consents: refresh tokens are refused from now on. */
  withdraw: () => void
  /** Makes all access tokens expire. The consents remain valid. */
  expire: () => void
  /** Makes token requests fail with this status; 0 restores the usual responses. */
  failWith: (status: number) => void
  close: () => Promise<void>
}

/** Starts the service on a free port. It replaces the refresh token at each use, as some services do, and checks the code verifier (PKCE). */
export async function startFakeMailService(username: string): Promise<FakeMailService> {
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  const refreshTokens = new Set<string>()
  const accessTokens = new Set<string>()
  const requests: string[] = []
  let failure = 0
  const client = { clientId: 'desk-client', clientSecret: 'desk-client-secret' }

  const tokens = () => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    accessTokens.add(access)
    refreshTokens.add(refresh)
    return { access_token: access, refresh_token: refresh, expires_in: 3600, token_type: 'Bearer' }
  }
  const grant = (form: URLSearchParams): { status: number; body: object } => {
    requests.push(String(form.get('grant_type')))
    if (failure) return { status: failure, body: {} }
    if (form.get('client_id') !== client.clientId || form.get('client_secret') !== client.clientSecret)
      return { status: 401, body: { error: 'invalid_client' } }
    if (form.get('grant_type') === 'refresh_token') {
      const isKnown = refreshTokens.delete(String(form.get('refresh_token')))
      return isKnown ? { status: 200, body: tokens() } : { status: 400, body: { error: 'invalid_grant' } }
    }
    const code = codes.get(String(form.get('code')))
    codes.delete(String(form.get('code')))
    const challenge = createHash('sha256')
      .update(String(form.get('code_verifier')))
      .digest('base64url')
    const isRight = code && code.challenge === challenge && code.redirectUri === form.get('redirect_uri')
    return isRight ? { status: 200, body: tokens() } : { status: 400, body: { error: 'invalid_grant' } }
  }
  const consent = (address: string) => {
    const { searchParams } = new URL(address, 'http://localhost')
    const code = randomUUID()
    codes.set(code, {
      challenge: String(searchParams.get('code_challenge')),
      redirectUri: String(searchParams.get('redirect_uri')),
    })
    return { code, state: String(searchParams.get('state')), redirectUri: String(searchParams.get('redirect_uri')) }
  }
  /** Whether the consent page grants access. It denies the first visit, as if the person pressed Cancel. */
  let isAllowed = false
  const askOwner = (address: string, response: ServerResponse) => {
    const { redirectUri, ...answer } = consent(address)
    const query = new URLSearchParams(isAllowed ? answer : { state: answer.state, error: 'access_denied' })
    isAllowed = true
    response.writeHead(302, { location: `${redirectUri}?${query}` }).end()
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/authorize')) return askOwner(request.url, response)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const { status, body } = request.url?.startsWith('/introspect')
      ? { status: 200, body: { active: accessTokens.has(String(form.get('token'))), username } }
      : grant(form)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...client,
    authorizeUrl: `${base}/authorize`,
    exchangeUrl: `${base}/oauth/token`,
    introspectionUrl: `${base}/introspect`,
    requests,
    consent: (address) => {
      const { code, state } = consent(address)
      return { code, state }
    },
    withdraw: () => refreshTokens.clear(),
    expire: () => accessTokens.clear(),
    failWith: (status) => {
      failure = status
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
