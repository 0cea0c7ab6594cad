import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { login } from '#features/accounts/contract.ts'
import { limits } from '../limits.ts'
import { Admission } from './admission.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const { general, logins, reserved, tidyMs } = limits.admission

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
const asked = (headers = {}, complete = true) => ({
  request: Object.assign(new EventEmitter(), { headers, complete }),
  response: new Response(),
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('a lane', () => {
  const size = { atOnce: 2, queue: 3, burstMs: 400, patienceMs: 20 }
  const enter = (lane: ConcurrencyLimiter, one = asked(), kind?: 'page' | 'call') => {
    const outcome = { state: 'waits', ...one }
    const set = (state: string) => () => void Object.assign(outcome, { state })
    lane.enter(one as never, set('started'), set('refused'), kind)
    return outcome
  }

  test('works on so many at once, lets the next wait in their order, and refuses those beyond the queue', () => {
    const lane = new ConcurrencyLimiter(size)
    const all = Array.from({ length: 6 }, () => enter(lane))
    expect(all.map(({ state }) => state)).toEqual(['started', 'started', 'waits', 'waits', 'waits', 'refused'])
    all[1]!.response.emit('finish')
    all[1]!.response.emit('close')
    expect(all.map(({ state }) => state)).toEqual(['started', 'started', 'started', 'waits', 'waits', 'refused'])
    expect({ running: lane.running, waiting: lane.waiting, shed: lane.shed }).toEqual({
      running: 2,
      waiting: 2,
      shed: 1,
    })
  })

  test('gives a burst its time, and once it is no burst refuses soon', () => {
    const lane = new ConcurrencyLimiter(size)
    for (let i = 0; i < size.atOnce; i++) enter(lane)
    const early = enter(lane)
    vi.advanceTimersByTime(size.burstMs - 10)
    const late = enter(lane)
    expect(early.state).toBe('waits')
    vi.advanceTimersByTime(20)
    expect([early.state, late.state]).toEqual(['refused', 'waits'])
    vi.advanceTimersByTime(10)
    expect(late.state).toBe('refused')
    // That nobody waits for a while means little; when it was as long as a burst may take, the next one may be part of a new one.
    vi.advanceTimersByTime(size.burstMs - 100)
    const soon = enter(lane)
    vi.advanceTimersByTime(30)
    expect(soon.state).toBe('refused')
    vi.advanceTimersByTime(size.burstMs)
    const next = enter(lane)
    vi.advanceTimersByTime(100)
    expect(next.state).toBe('waits')
  })

  test('refuses at once who would not come on in time, as far as those before them tell', () => {
    const lane = new ConcurrencyLimiter({ ...size, patienceMs: 200 })
    const working = [enter(lane), enter(lane)]
    const finish = () => working.shift()!.response.emit('finish')
    // A place becomes free every forty milliseconds.
    const push = () => {
      const one = enter(lane)
      vi.advanceTimersByTime(40)
      working.push(one)
      finish()
      return one.state
    }
    // In a burst nobody is refused at once as long as there is room.
    expect(Array.from({ length: 9 }, push)).toEqual(Array(9).fill('started'))
    for (let i = 0; i < 20; i++) push()
    const states = [enter(lane), enter(lane), enter(lane)].map(({ state }) => state)
    expect(states).toEqual(['waits', 'waits', 'refused'])
  })

  const spent = (lane: ConcurrencyLimiter) => {
    for (let i = 0; i < size.atOnce; i++) enter(lane)
    enter(lane)
    vi.advanceTimersByTime(size.burstMs + 20)
  }

  test('lets pages wait longer than calls, in a burst and when it is none', () => {
    const paged = { ...size, pagePatienceMs: 1_000 }
    const lane = new ConcurrencyLimiter(paged)
    spent(lane)
    const [page, call] = [enter(lane, asked(), 'page'), enter(lane)]
    vi.advanceTimersByTime(size.patienceMs + 10)
    expect([page.state, call.state]).toEqual(['waits', 'refused'])
    vi.advanceTimersByTime(1_000 - size.patienceMs - 20)
    expect(page.state).toBe('waits')
    vi.advanceTimersByTime(20)
    expect(page.state).toBe('refused')

    const fresh = new ConcurrencyLimiter(paged)
    for (let i = 0; i < size.atOnce; i++) enter(fresh)
    const [first, second] = [enter(fresh, asked(), 'page'), enter(fresh)]
    vi.advanceTimersByTime(size.burstMs + 10)
    expect([first.state, second.state]).toEqual(['waits', 'refused'])
  })

  test('begins pages and calls in turn, so that neither keeps the other out', () => {
    const lane = new ConcurrencyLimiter({ ...size, atOnce: 1, queue: 20 })
    let working = enter(lane)
    const all = [
      ...Array.from({ length: 4 }, () => 'page' as const),
      ...Array.from({ length: 4 }, () => 'call' as const),
    ].map((kind) => ({
      kind,
      one: enter(lane, asked(), kind),
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

  test('sixteen people who open page after page are all served, although each page takes a place for sixty milliseconds', () => {
    const lane = new ConcurrencyLimiter(general)
    let [served, refused] = [0, 0]
    const open = () => {
      const one = asked()
      lane.enter(
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

  test('begins nothing for somebody who is gone', () => {
    const lane = new ConcurrencyLimiter(size)
    const [first] = [enter(lane), enter(lane)]
    const [gone, next] = [enter(lane), enter(lane)]
    gone.response.destroyed = true
    first!.response.emit('finish')
    expect([gone.state, next.state]).toEqual(['waits', 'started'])
  })

  test('is not kept busy by bodies that are still under way, but by what they ask once they are there', async () => {
    const lane = new ConcurrencyLimiter(size)
    const slow = enter(lane, asked({ 'content-length': '10' }, false))
    enter(lane, asked({ 'content-length': '10' }, true))
    await turn()
    expect(lane.running).toBe(1)
    slow.request.emit('end')
    expect(lane.running).toBe(2)
    slow.response.emit('finish')
    expect(lane.running).toBe(1)
    // One that is given up before its body came takes nothing along.
    const givenUp = enter(lane, asked({ 'transfer-encoding': 'chunked' }, false))
    await turn()
    givenUp.response.emit('close')
    givenUp.request.emit('end')
    expect(lane.running).toBe(1)
  })
})

describe('admission', () => {
  const admissionOf = () => new Admission({ secureCookies: true, hsts: 'on' } as never, [login], { warn: () => {} })
  const ask = (admission: Admission, method: string, url: string, cookie?: string, spare = () => false) => {
    const { request, response } = asked({ cookie })
    let isStarted = false
    const start = () => {
      isStarted = true
    }
    admission.admit(Object.assign(request, { method, url }) as never, response as never, start, spare)
    return { response, isStarted: () => isStarted }
  }
  const fill = (
    admission: Admission,
    { atOnce, queue }: { atOnce: number; queue: number },
    method: string,
    url: string,
  ) => {
    for (let i = 0; i < atOnce + queue; i++) ask(admission, method, url)
  }

  test('what is too much is told 503 with Retry-After and the headers of every answer, in the words of who asked', () => {
    const admission = admissionOf()
    fill(admission, general, 'GET', '/dashboard')
    const call = ask(admission, 'GET', '/api/user').response
    expect([call.status, JSON.parse(call.body)]).toMatchObject([503, { code: 'busy' }])
    expect(call.headers).toMatchObject({
      'retry-after': '2',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.any(String),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const page = ask(admission, 'GET', '/dashboard').response
    expect([page.status, page.headers['content-type'], page.body]).toEqual([
      503,
      'text/html; charset=utf-8',
      expect.stringContaining('One moment please'),
    ])
  })

  test('who would be refused is given what is kept, where something is', () => {
    const admission = admissionOf()
    fill(admission, general, 'GET', '/dashboard')
    const page = ask(admission, 'GET', '/', undefined, () => true)
    expect([page.isStarted(), page.response.status]).toEqual([false, 0])
    expect(ask(admission, 'GET', '/', undefined, () => false).response.status).toBe(503)
  })

  test('memory is given back some time after an overload, when there is time for it', () => {
    const collect = vi.fn()
    vi.stubGlobal('gc', collect)
    onTestFinished(() => void vi.unstubAllGlobals())
    const admission = admissionOf()
    const overload = () => {
      const working = Array.from({ length: general.atOnce + 1 }, () => ask(admission, 'GET', '/dashboard').response)
      vi.advanceTimersByTime(general.burstMs + 500)
      for (const response of working) response.emit('finish')
      vi.advanceTimersByTime(general.burstMs + 500)
    }
    overload()
    expect(collect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(tidyMs)
    expect(collect).toHaveBeenCalledTimes(1)

    overload()
    fill(admission, general, 'GET', '/dashboard')
    vi.advanceTimersByTime(tidyMs)
    expect(collect).toHaveBeenCalledTimes(1)
  })

  test('logins do not keep readers out, nor readers those who log in; probes pass, and files have a lane of their own', () => {
    const admission = admissionOf()
    fill(admission, logins, 'POST', '/api/login')
    expect(ask(admission, 'POST', '/api/login').response.status).toBe(503)
    expect(ask(admission, 'GET', '/api/user').isStarted()).toBe(true)
    fill(admission, general, 'GET', '/api/user')
    for (const path of ['/healthz', '/readyz', '/assets/a.css', '/favicon.svg'])
      expect(ask(admission, 'GET', path).isStarted(), path).toBe(true)
    for (const path of ['/api/user', '/api/user.json', '/dashboard?a.css'])
      expect(ask(admission, 'GET', path).response.status, path).toBe(503)
  })

  test('a page of a signed-in user may wait for a second, a call and a page of a visitor may not', () => {
    const admission = admissionOf()
    const session = `__Host-sid=${'s'.repeat(43)}`
    fill(admission, { atOnce: general.atOnce, queue: 1 }, 'GET', '/api/user')
    vi.advanceTimersByTime(general.burstMs + 20)
    const page = ask(admission, 'GET', '/dashboard', session).response
    const others = [ask(admission, 'GET', '/api/user', session).response, ask(admission, 'GET', '/dashboard').response]
    vi.advanceTimersByTime(general.patienceMs + 10)
    expect([page.status, ...others.map(({ status }) => status)]).toEqual([0, 503, 503])
    vi.advanceTimersByTime(1_000 - general.patienceMs)
    expect(page.status).toBe(503)
  })

  test('administrators have room of their own, as long as they were seen lately', () => {
    const admission = admissionOf()
    const [known, guessed] = ['a'.repeat(43), 'b'.repeat(43)]
    admission.sawAdministrator(known)
    fill(admission, general, 'GET', '/api/user')
    expect(ask(admission, 'GET', '/api/admin/users', `__Host-sid=${known}`).isStarted()).toBe(true)
    expect(ask(admission, 'GET', '/api/admin/users', `__Host-sid=${guessed}`).response.status).toBe(503)
    vi.advanceTimersByTime(limits.admission.administratorMs)
    expect(ask(admission, 'GET', '/api/admin/users', `__Host-sid=${known}`).isStarted()).toBe(false)
    expect(admission.lanes.reserved.running).toBeLessThanOrEqual(reserved.atOnce)
  })
})
