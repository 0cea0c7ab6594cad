import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { listenRaw, type RawApp } from '../../../test/harness/raw-http.ts'
import { textResponse } from './text-response.ts'

describe('a text response', () => {
  const made = () => textResponse('{"name":"Zoë"}', new Headers({ 'content-type': 'application/json; charset=utf-8' }))

  test('behaves like a Response', async () => {
    expect(made()).toBeInstanceOf(Response)
    expect([made().status, made().ok, made().bodyUsed, made().headers.get('content-type')]).toEqual([
      200,
      true,
      false,
      'application/json; charset=utf-8',
    ])
    expect(await made().json()).toEqual({ name: 'Zoë' })
    expect(await new Response(made().body).text()).toBe('{"name":"Zoë"}')
    const response = made()
    expect([await response.clone().text(), await response.text()]).toEqual(['{"name":"Zoë"}', '{"name":"Zoë"}'])
    await expect(response.text()).rejects.toThrow(TypeError)
  })

  test('keeps headers that are set before and after it is read', async () => {
    const response = made()
    response.headers.set('x-before', '1')
    await response.clone().text()
    response.headers.set('x-after', '2')
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-before': '1', 'x-after': '2' })
  })
})

describe('over a connection', () => {
  let app: TestApp
  let raw: RawApp
  beforeAll(async () => {
    app = await buildApp()
    raw = await listenRaw(app)
  })
  afterAll(async () => {
    await raw.close()
    await app.close()
  })

  test('body, content-length and headers are the same as those of the in-process Response', async () => {
    const { client } = await app.signIn({ username: 'zoe_q' })
    const cookie = `sid=${client.cookies.get('sid')}`
    await app.database.pool.query(`update users set full_name = 'Zoë Q.' where username = 'zoe_q'`)
    const inProcess = await app.app.request('/api/user', { headers: { cookie } })
    const { status, headers, text } = await raw.send({ method: 'GET', path: '/api/user', headers: { cookie } })
    expect([status, text]).toEqual([inProcess.status, await inProcess.text()])
    expect(headers).toMatchObject({
      ...Object.fromEntries(inProcess.headers),
      'content-length': String(Buffer.byteLength(text)),
    })
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  test('a HEAD request gets no body', async () => {
    const { status, headers, text } = await raw.send({ method: 'HEAD', path: '/api/plans' })
    expect([status, text, headers['content-type']]).toEqual([200, '', 'application/json; charset=utf-8'])
  })

  test('each cookie is a separate header', async () => {
    const { client } = await app.signIn()
    const own = `own=${'x'.repeat(43)}; sid=${client.cookies.get('sid')}`
    const { headers } = await raw.send({ method: 'POST', path: '/api/logout', headers: { cookie: own } })
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^sid=;/), expect.stringMatching(/^own=;/)])
  })
})
