/** The messages that tell administrators why a source could not be read. */
const texts = {
  held: 'Calls to other servers are blocked until this installation is declared live.',
  timeout: 'The server took too long.',
  unreachable: 'The server cannot be reached.',
  private_address: 'The server has a private address.',
  redirect: 'The server redirects to an address that is not allowed.',
  refused: 'The server refused access. Please check the address and its credentials.',
  missing: 'The server has no file at this address.',
  server: 'The server answered with an error.',
  too_large: 'The file is too large.',
  unpacked: 'The file is damaged and cannot be unpacked.',
  archive: 'The file is an archive. Please use XML, or XML compressed with gzip.',
  web_page: 'The server answered with a web page, not with a program guide.',
  not_xmltv: 'The file is not an XMLTV file.',
  too_deep: 'The file is nested too deeply to be an XMLTV file.',
  too_many: 'The file has more channels or programs than can be read.',
  empty: 'The file has no programs.',
  memory: 'Reading the file needs too much memory.',
  upload: 'The uploaded file is no longer complete. Please upload it again.',
  sealed: 'The address cannot be decrypted. Please enter it again.',
  broken: 'Reading failed. The log has the details.',
} as const
export type FailureCode = keyof typeof texts

/** Thrown when a source could not be read. The message is shown to administrators and contains nothing from the address or the file. */
export class GuideFailure extends Error {
  override name = 'GuideFailure'
  readonly code: FailureCode
  constructor(code: FailureCode) {
    super(texts[code])
    this.code = code
  }
}
