import { generateKeyPairSync, sign } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const yes = der(0x01, Buffer.from([0xff]))

/**
 * Creates a self-signed certificate for servers on this machine, for the name `host` and 127.0.0.1. Only clients that have it as a certificate authority trust
 * it.
 */
export function localCertificate(host = 'localhost'): { key: string; cert: string } {
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(host)))))
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = sequence(der(0x82, Buffer.from(host)), der(0x87, Buffer.from([127, 0, 0, 1])))
  const extensions = sequence(
    sequence(oid('551d11'), der(0x04, names)),
    sequence(oid('551d13'), yes, der(0x04, sequence(yes))),
  )
  const now = Date.now()
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now - 86_400_000)), time(new Date(now + 86_400_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signed = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)))
  const cert = `-----BEGIN CERTIFICATE-----\n${signed.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}

/**
 * Makes this process trust a certificate until the returned function is called. Tests must call it, because test files share processes, and of two trusted
 * certificates with the same name only the first one works.
 */
export function trustCertificate(cert: string): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  return () => setDefaultCACertificates(before)
}
