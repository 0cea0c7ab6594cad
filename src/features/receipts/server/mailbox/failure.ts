import { PrivateAddressError } from '#server/outbound/addresses.ts'

export type FailureCode =
  | 'held'
  | 'sealed'
  | 'private_address'
  | 'unreachable'
  | 'silent'
  | 'no_tls'
  | 'certificate'
  | 'password'
  | 'consent'
  | 'token'
  | 'login'
  | 'folder'
  | 'lost'

const sentences: Record<FailureCode, string> = {
  held: 'This installation is not live, so it reads no mailbox.',
  sealed: 'The stored password cannot be decrypted with the key of this installation. Enter it again.',
  private_address:
    'The mail server has a private address, which this server may not call. To allow it, set MAILBOX_ALLOW_PRIVATE.',
  unreachable: 'The mail server cannot be reached. Check the server name and the port.',
  silent: 'The mail server does not answer. Check the port and the kind of encryption.',
  no_tls: 'The mail server does not offer this kind of encryption on this port, so the password was not sent.',
  certificate: 'The certificate of the mail server is not valid for this name, so the password was not sent.',
  password: 'The mail server refused the username or the password.',
  consent: 'The mail service does not accept the connection. Connect the account again in the settings.',
  token: 'The mail service did not answer the request for an access token.',
  login: 'The mail server does not accept logins at the moment.',
  folder: 'The mailbox has no such folder.',
  lost: 'The connection to the mail server was lost.',
}

/** Thrown if the mailbox cannot be read. `message` is a sentence for administrators and contains nothing that the server sent. */
export class MailboxFailure extends Error {
  override name = 'MailboxFailure'
  readonly code: FailureCode
  constructor(code: FailureCode, detail?: string) {
    super(detail ? `${sentences[code].replace(/\.$/, '')} (${detail}).` : sentences[code])
    this.code = code
  }
}

type ImapError = Error & {
  code?: string
  authenticationFailed?: boolean
  serverResponseCode?: string
  mailboxMissing?: boolean
  tlsFailed?: boolean
}
const unreachable =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|CONNECT_TIMEOUT)$/
const silent = /^(GREETING_TIMEOUT|UPGRADE_TIMEOUT|ETIMEOUT)$/
const certificate = /CERT|SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY|ALTNAME/
const tls = /^(EPROTO|ERR_SSL_|ERR_TLS_|STARTTLS_)/
/** Response codes of RFC 5530 for a refused login that do not mean a wrong password. */
const temporaryCodes = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN'])

/** Converts a connection error into a failure with an explanation for administrators. */
export function failureOf(error: unknown): MailboxFailure {
  if (error instanceof MailboxFailure) return error
  if (error instanceof PrivateAddressError) return new MailboxFailure('private_address')
  const { code = '', authenticationFailed, serverResponseCode, mailboxMissing, tlsFailed } = error as ImapError
  if (authenticationFailed)
    return new MailboxFailure(temporaryCodes.has(serverResponseCode ?? '') ? 'login' : 'password')
  if (mailboxMissing) return new MailboxFailure('folder')
  if (unreachable.test(code)) return new MailboxFailure('unreachable', code)
  if (certificate.test(code)) return new MailboxFailure('certificate', code)
  if (tlsFailed || tls.test(code)) return new MailboxFailure('no_tls', code || undefined)
  if (silent.test(code)) return new MailboxFailure('silent')
  return new MailboxFailure('lost', /^\w+$/.test(code) ? code : undefined)
}
