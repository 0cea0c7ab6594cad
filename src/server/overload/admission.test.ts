import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { login } from '#features/accounts/contract.ts'
import { seekPlay } from '#features/watch/contract.ts'
import { limits } from '../limits.ts'
import { Admission } from './admission.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const { general, logins, reserved, collectGarbageAfterMs } = limits.admission

class Response extends EventEmitter {
  destroyed = false
  status = 0
  headers: Record<string, string> = {}
  body = ''
  writeHead(status: number, headers: Record<string, string>): this {
    this.status = status
    this.headers = headers
    return this
  }
  end(body: string): void {
    this.body = body
    this.emit('finish')
  }
}
const exchange = (headers = {}, complete = true) => ({
  request: Object.assign(new EventEmitter(), { headers, complete }),
  response: new Response(),
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('a concurrency limiter', () => {
  const size = { atOnce: 2, queue: 3, burstMs: 400, patienceMs: 20 }
  const enter = (limiter: ConcurrencyLimiter, one = exchange(), kind?: 'page' | 'call') => {
    const outcome = { state: 'waits', ...one }
    const set = (state: string) => () => void Object.assign(outcome, { state })
    limiter.enter(one as never, set('started'), set('refused'), kind)
    return outcome
  }

  test('runs at most `atOnce` requests, queues the next in order and refuses those beyond the queue', () => {
    const limiter = new ConcurrencyLimiter(size)
    const all = Array.from({ length: 6 }, () => enter(limiter))
    expect(all.map(({ state }) => state)).toEqual(['started', 'started', 'waits', 'waits', 'waits', 'refused'])
    all[1]!.response.emit('finish')
    all[1]!.response.emit('close')
    expect(all.map(({ state }) => state)).toEqual(['started', 'started', 'started', 'waits', 'waits', 'refused'])
    expect({ running: limiter.running, waiting: limiter.waiting, shed: limiter.rejected }).toEqual({
      running: 2,
      waiting: 2,
      shed: 1,
    })
  })

  test('lets requests wait for `burstMs` during a burst, and only for `patienceMs` once the burst budget is spent', () => {
    const limiter = new ConcurrencyLimiter(size)
    for (let i = 0; i < size.atOnce; i++) enter(limiter)
    const early = enter(limiter)
    vi.advanceTimersByTime(size.burstMs - 10)
    const late = enter(limiter)
    expect(early.state).toBe('waits')
    vi.advanceTimersByTime(20)
    expect([early.state, late.state]).toEqual(['refused', 'waits'])
    vi.advanceTimersByTime(10)
    expect(late.state).toBe('refused')
    // The burst budget refills only while the queue is empty. A new burst is allowed once the budget is full.
    vi.advanceTimersByTime(size.burstMs - 100)
    const soon = enter(limiter)
    vi.advanceTimersByTime(30)
    expect(soon.state).toBe('refused')
    vi.advanceTimersByTime(size.burstMs)
    const next = enter(limiter)
    vi.advanceTimersByTime(100)
    expect(next.state).toBe('waits')
  })

  test('refuses requests immediately whose expected wait is too long during sustained overload', () => {
    const limiter = new ConcurrencyLimiter({ ...size, patienceMs: 200 })
    const working = [enter(limiter), enter(limiter)]
    const finish = () => working.shift()!.response.emit('finish')
    // A slot is freed every 40 milliseconds.
    const push = () => {
      const one = enter(limiter)
      vi.advanceTimersByTime(40)
      working.push(one)
      finish()
      return one.state
    }
    // During a burst a request is queued whatever its expected wait, as long as the queue is not full.
    expect(Array.from({ length: 9 }, push)).toEqual(Array(9).fill('started'))
    for (let i = 0; i < 20; i++) push()
    const states = [enter(limiter), enter(limiter), enter(limiter)].map(({ state }) => state)
    expect(states).toEqual(['waits', 'waits', 'refused'])
  })

  const spent = (limiter: ConcurrencyLimiter) => {
    for (let i = 0; i < size.atOnce; i++) enter(limiter)
    enter(limiter)
    vi.advanceTimersByTime(size.burstMs + 20)
  }

  test('lets pages wait longer than API calls, during a burst and during sustained overload', () => {
    const paged = { ...size, pagePatienceMs: 1_000 }
    const limiter = new ConcurrencyLimiter(paged)
    spent(limiter)
    const [page, call] = [enter(limiter, exchange(), 'page'), enter(limiter)]
    vi.advanceTimersByTime(size.patienceMs + 10)
    expect([page.state, call.state]).toEqual(['waits', 'refused'])
    vi.advanceTimersByTime(1_000 - size.patienceMs - 20)
    expect(page.state).toBe('waits')
    vi.advanceTimersByTime(20)
    expect(page.state).toBe('refused')

    const fresh = new ConcurrencyLimiter(paged)
    for (let i = 0; i < size.atOnce; i++) enter(fresh)
    const [first, second] = [enter(fresh, exchange(), 'page'), enter(fresh)]
    vi.advanceTimersByTime(size.burstMs + 10)
    expect([first.state, second.state]).toEqual(['waits', 'refused'])
  })

  test('alternates between pages and API calls, so that neither starves the other', () => {
    const limiter = new ConcurrencyLimiter({ ...size, atOnce: 1, queue: 20 })
    let working = enter(limiter)
    const all = [
      ...Array.from({ length: 4 }, () => 'page' as const),
      ...Array.from({ length: 4 }, () => 'call' as const),
    ].map((kind) => ({
      kind,
      one: enter(limiter, exchange(), kind),
    }))
    const order: string[] = []
    for (let n = 0; n < 8; n++) {
      working.response.emit('finish')
      const next = all.find(
        ({ one }) => one.state === 'started' && !order.includes(`${all.findIndex((each) => each.one === one)}`),
      )!
      order.push(`${all.indexOf(next)}`)
      working = next.one
    }
    expect(order.map((index) => all[Number(index)]!.kind)).toEqual([
      'page',
      'call',
      'page',
      'call',
      'page',
      'call',
      'page',
      'call',
    ])
  })

  test('serves sixteen people who open page after page although each page occupies a slot for 60 milliseconds', () => {
    const limiter = new ConcurrencyLimiter(general)
    let [served, refused] = [0, 0]
    const open = () => {
      const one = exchange()
      limiter.enter(
        one as never,
        () => {
          served++
          setTimeout(() => {
            one.response.emit('finish')
            open()
          }, 60)
        },
        () => {
          refused++
          setTimeout(open, 60)
        },
        'page',
      )
    }
    for (let person = 0; person < 16; person++) open()
    vi.advanceTimersByTime(20_000)
    expect(refused).toBe(0)
    expect(served).toBeGreaterThan(1_000)
  })

  test('does not start requests of disconnected clients', () => {
    const limiter = new ConcurrencyLimiter(size)
    const [first] = [enter(limiter), enter(limiter)]
    const [gone, next] = [enter(limiter), enter(limiter)]
    gone.response.destroyed = true
    first!.response.emit('finish')
    expect([gone.state, next.state]).toEqual(['waits', 'started'])
  })

  test('counts a request with a body only once the body has arrived', async () => {
    const limiter = new ConcurrencyLimiter(size)
    const slow = enter(limiter, exchange({ 'content-length': '10' }, false))
    enter(limiter, exchange({ 'content-length': '10' }, true))
    await turn()
    expect(limiter.running).toBe(1)
    slow.request.emit('end')
    expect(limiter.running).toBe(2)
    slow.response.emit('finish')
    expect(limiter.running).toBe(1)
    // A request that is aborted before its body has arrived frees no slot a second time.
    const aborted = enter(limiter, exchange({ 'transfer-encoding': 'chunked' }, false))
    await turn()
    aborted.response.emit('close')
    aborted.request.emit('end')
    expect(limiter.running).toBe(1)
  })
})

describe('admission', () => {
  const admissionOf = () => new Admission({ secureCookies: true, hsts: 'on' } as never, [login], { warn: () => {} })
  const send = (admission: Admission, method: string, url: string, cookie?: string, serveStale = () => false) => {
    const { request, response } = exchange({ cookie })
    let isStarted = false
    const start = () => {
      isStarted = true
    }
    admission.admit(Object.assign(request, { method, url }) as never, response as never, start, serveStale)
    return { response, isStarted: () => isStarted }
  }
  const fill = (
    admission: Admission,
    { atOnce, queue }: { atOnce: number; queue: number },
    method: string,
    url: string,
  ) => {
    for (let i = 0; i < atOnce + queue; i++) send(admission, method, url)
  }

  test('requests that call the panel do not use the slots of other requests, even if their paths contain parameters', () => {
    const admission = new Admission({} as never, [seekPlay], { warn: () => {} })
    for (const [method, url] of [
      ['PUT', '/api/plays/6a1c'],
      ['GET', '/live/abcdefgh/abcdefghijkmnpqr/7.m3u8'],
      ['POST', '/abcdefgh/abcdefghijkmnpqr/7'],
    ] as const)
      send(admission, method, url)
    const { general, files, outside } = admission.limiters
    expect([general.running, files.running, outside.running]).toEqual([0, 0, 3])
  })

  test('rejected requests get 503 with Retry-After and the common headers, as JSON or HTML', () => {
    const admission = admissionOf()
    fill(admission, general, 'GET', '/dashboard')
    const call = send(admission, 'GET', '/api/user').response
    expect([call.status, JSON.parse(call.body)]).toMatchObject([503, { code: 'busy' }])
    expect(call.headers).toMatchObject({
      'retry-after': '2',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.any(String),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const page = send(admission, 'GET', '/dashboard').response
    expect([page.status, page.headers['content-type'], page.body]).toEqual([
      503,
      'text/html; charset=utf-8',
      expect.stringContaining('One moment please'),
    ])
  })

  test('a rejected request gets a stale response if there is one', () => {
    const admission = admissionOf()
    fill(admission, general, 'GET', '/dashboard')
    const page = send(admission, 'GET', '/', undefined, () => true)
    expect([page.isStarted(), page.response.status]).toEqual([false, 0])
    expect(send(admission, 'GET', '/', undefined, () => false).response.status).toBe(503)
  })

  test('garbage is collected some time after an overload if all limiters are idle then', () => {
    const collect = vi.fn()
    vi.stubGlobal('gc', collect)
    onTestFinished(() => void vi.unstubAllGlobals())
    const admission = admissionOf()
    const overload = () => {
      const working = Array.from({ length: general.atOnce + 1 }, () => send(admission, 'GET', '/dashboard').response)
      vi.advanceTimersByTime(general.burstMs + 500)
      for (const response of working) response.emit('finish')
      vi.advanceTimersByTime(general.burstMs + 500)
    }
    overload()
    expect(collect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(collectGarbageAfterMs)
    expect(collect).toHaveBeenCalledTimes(1)

    overload()
    fill(admission, general, 'GET', '/dashboard')
    vi.advanceTimersByTime(collectGarbageAfterMs)
    expect(collect).toHaveBeenCalledTimes(1)
  })

  test('logins, other requests and files have separate limiters; probes pass', () => {
    const admission = admissionOf()
    fill(admission, logins, 'POST', '/api/login')
    expect(send(admission, 'POST', '/api/login').response.status).toBe(503)
    expect(send(admission, 'GET', '/api/user').isStarted()).toBe(true)
    fill(admission, general, 'GET', '/api/user')
    for (const path of ['/healthz', '/readyz', '/assets/a.css', '/favicon.svg'])
      expect(send(admission, 'GET', path).isStarted(), path).toBe(true)
    for (const path of ['/api/user', '/api/user.json', '/dashboard?a.css'])
      expect(send(admission, 'GET', path).response.status, path).toBe(503)
  })

  test('a page of a signed-in user may wait for a second, an API call and a page of a visitor may not', () => {
    const admission = admissionOf()
    const session = `__Host-sid=${'s'.repeat(43)}`
    fill(admission, { atOnce: general.atOnce, queue: 1 }, 'GET', '/api/user')
    vi.advanceTimersByTime(general.burstMs + 20)
    const page = send(admission, 'GET', '/dashboard', session).response
    const others = [
      send(admission, 'GET', '/api/user', session).response,
      send(admission, 'GET', '/dashboard').response,
    ]
    vi.advanceTimersByTime(general.patienceMs + 10)
    expect([page.status, ...others.map(({ status }) => status)]).toEqual([0, 503, 503])
    vi.advanceTimersByTime(1_000 - general.patienceMs)
    expect(page.status).toBe(503)
  })

  test('administrators seen recently have reserved capacity', () => {
    const admission = admissionOf()
    const [known, guessed] = ['a'.repeat(43), 'b'.repeat(43)]
    admission.rememberAdministrator(known)
    fill(admission, general, 'GET', '/api/user')
    expect(send(admission, 'GET', '/api/admin/users', `__Host-sid=${known}`).isStarted()).toBe(true)
    expect(send(admission, 'GET', '/api/admin/users', `__Host-sid=${guessed}`).response.status).toBe(503)
    vi.advanceTimersByTime(limits.admission.administratorMs)
    expect(send(admission, 'GET', '/api/admin/users', `__Host-sid=${known}`).isStarted()).toBe(false)
    expect(admission.limiters.reserved.running).toBeLessThanOrEqual(reserved.atOnce)
  })
})
