import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Choices = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  verified?: boolean
  counter?: number
  userHandle?: string
}

/** A WebAuthn authenticator with one passkey (ES256, no attestation). Each method can be told to forge parts of its response. */
export class PasskeyDevice {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = randomBytes(32).toString('base64url')
  readonly #site: { origin: string; rpId: string }
  counter = 0

  constructor(site: { origin: string; rpId: string }) {
    this.#site = site
  }

  /** Returns the response to a registration. */
  attest(challenge: string, { type = 'webauthn.create', ...choices }: Choices = {}) {
    const credential = Buffer.from(this.id, 'base64url')
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const publicKey = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credential.length)
    const data = Buffer.concat([
      this.#authenticatorData(choices, true),
      Buffer.alloc(16),
      length,
      credential,
      publicKey,
    ])
    const attestationObject = cborMap([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ])
    return {
      id: this.id,
      response: {
        clientDataJSON: this.#clientData(challenge, { ...choices, type }),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Returns the response to a login and increments the signature counter. */
  assert(challenge: string, { type = 'webauthn.get', ...choices }: Choices = {}) {
    this.counter = choices.counter ?? this.counter + 1
    const data = this.#authenticatorData(choices, false)
    const clientDataJSON = this.#clientData(challenge, { ...choices, type })
    const signed = Buffer.concat([data, createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()])
    const signature = sign('sha256', signed, this.#keys.privateKey).toString('base64url')
    const response = { clientDataJSON, authenticatorData: data.toString('base64url'), signature }
    return {
      id: this.id,
      response: choices.userHandle === undefined ? response : { ...response, userHandle: choices.userHandle },
    }
  }

  #clientData(challenge: string, { type, origin = this.#site.origin }: Choices): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }

  #authenticatorData({ rpId = this.#site.rpId, verified = true }: Choices, isNew: boolean): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const flags = 0x01 | (verified ? 0x04 : 0) | (isNew ? 0x40 : 0)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter])
  }
}

type Value = number | string | Buffer | Map<unknown, unknown>

/** Encodes the subset of CBOR (RFC 8949) that an attestation needs. */
function cborMap(entries: [number | string, Value][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])])
}
function cbor(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return head(5, 0)
}
function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
