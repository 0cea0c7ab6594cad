import { X509Certificate } from 'node:crypto'
import { invalid } from '#server/errors.ts'

/** Throws 400 at `path` unless `ca` is empty or consists of valid PEM certificates. */
export function assertCertificates(ca: string, path: string): void {
  for (const pem of ca.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ??
    (ca === '' ? [] : [ca]))
    try {
      new X509Certificate(pem)
    } catch {
      invalid(path, 'This certificate cannot be read. Please paste the complete certificate in PEM format.')
    }
}
