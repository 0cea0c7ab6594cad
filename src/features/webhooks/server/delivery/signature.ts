import { createHmac } from 'node:crypto'

/**
 * Returns the value of the header `webhook-signature` of the Standard Webhooks specification: one signature for each secret (`whsec_` and base64),
 * over the message id, the time in Unix seconds and the body.
 */
export const signatureOf = (secrets: string[], id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
